/** Clients that make many connections, send slowly, do not read, or leave. */
import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import { readAnswers } from '../answers.ts';
import { Client } from '../client.ts';
import { addItem, assertIntact, type Item, listItems, removeItem } from '../items.ts';
import { metric } from '../metric.ts';
import { assertAnswers, letGo, readToEnd, silent, silentOnes } from './connections.ts';
import { faultOf } from './fault.ts';

const BEGINNINGS = [
  'GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ',
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{"name":"',
];

export const slowHeads = faultOf(
  'a thousand clients that send a byte at a time → 408 each, others are served meanwhile',
  { flags: ['--request-timeout', '5s', '--health-checks', 'on'] },
  async ({ port }) => {
    const sockets = await silentOnes(port, 1000);
    for (const [at, socket] of sockets.entries()) socket.write(BEGINNINGS[at % 2]!);
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('y');
    }, 200);
    const ends = sockets.map(readToEnd);
    for (let count = 0; count < 10; count++) await assertAnswers(port);
    const received = await Promise.all(ends);
    clearInterval(timer);
    const statuses = received.map((bytes) =>
      readAnswers(bytes)
        .answers.map(({ status }) => status)
        .join(),
    );
    assert.deepEqual([...new Set(statuses)], ['408']);
  },
);

const MIB = 2 ** 20;
const asks = (path: string, count: number): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count);

export const pipelinedFlood = faultOf(
  'clients that ask on without reading → bounded memory; one that reads gets every answer',
  { flags: ['--health-checks', 'on', '--static', 'static/site'] },
  async (service) => {
    const { port } = service;
    const items: Item[] = [];
    for (let at = 0; at < 30; at++) items.push((await addItem(port, 'x'.repeat(1000)))!);
    for (const path of ['/api/todo', '/nothing/here', '/swagger/ui/swagger-ui-bundle.js']) {
      const before = service.memory();
      const sockets = await silentOnes(port, 40);
      for (const socket of sockets) socket.write(asks(path, 4000));
      await assertAnswers(port);
      assert.ok(service.memory() - before < 250 * MIB, `${path}: ${Math.round((service.memory() - before) / MIB)} MiB`);
      letGo(sockets);
      const reader = await silent(port);
      reader.end(asks(path, 40));
      const { answers, fault } = readAnswers(await readToEnd(reader));
      assert.equal(fault, undefined);
      assert.equal(answers.length, 40);
    }
    const reader = await silent(port);
    reader.end(asks('/health', 20_000));
    assert.equal(readAnswers(await readToEnd(reader)).answers.length, 20_000);
    await assertIntact(port, items);
  },
);

const head = (path: string): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: a',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
    '',
    '',
  ].join('\r\n');
const chunks = (text: string, size: number): string =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => {
    const piece = text.slice(at * size, (at + 1) * size);
    return `${piece.length.toString(16)}\r\n${piece}\r\n`;
  }).join('');

/** Sends the same from so many connections; the statuses that came back. */
async function statusesOf(port: number, count: number, bytes: string): Promise<readonly number[]> {
  const sockets = await silentOnes(port, count);
  for (const socket of sockets) socket.write(bytes);
  const received = await Promise.all(sockets.map(readToEnd));
  return received.map((one) => readAnswers(one).answers[0]?.status ?? 0);
}

export const tinyChunks = faultOf(
  'bodies in a million chunks of one byte → refused before they cost memory; small chunks are taken',
  { flags: ['--health-checks', 'on'] },
  async (service) => {
    const { port } = service;
    const before = service.memory();
    for (const path of ['/api/todo', '/nothing']) {
      const statuses = statusesOf(port, 10, head(path) + '1\r\nx\r\n'.repeat(2 ** 20));
      await assertAnswers(port);
      // Whoever goes on writing may lose the answer with the connection.
      const others = (await statuses).filter((status) => ![413, 404, 0].includes(status));
      assert.deepEqual(others, []);
    }
    const growth = service.memory() - before;
    assert.ok(growth < 250 * 2 ** 20, `${Math.round(growth / 2 ** 20)} MiB of memory`);
    const item = JSON.stringify({ name: 'x'.repeat(800_000) });
    const small = JSON.stringify({ name: 'x'.repeat(5000) });
    assert.deepEqual(await statusesOf(port, 1, `${head('/api/todo')}${chunks(item, 32)}0\r\n\r\n`), [201]);
    assert.deepEqual(await statusesOf(port, 1, `${head('/api/todo')}${chunks(small, 1)}0\r\n\r\n`), [201]);
  },
);

/** What a client has sent when it leaves. */
export const WAYS: readonly string[] = [
  '',
  'G',
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\nContent-Type: application/json\r\n\r\n{"name',
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n\r\n',
  'GET /swagger/ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n\r\n',
];

/** Makes so many connections, and resets each at one of the stages. */
export async function resetMany(port: number, count: number): Promise<void> {
  const sockets = await silentOnes(port, count);
  for (const [at, socket] of sockets.entries()) socket.write(WAYS[at % WAYS.length]!, () => socket.resetAndDestroy());
}

export const slowReaders = faultOf(
  'sixty clients that ask for 20 MB and do not read → one copy for all, each cut after its time',
  { flags: ['--health-checks', 'on', '--metrics', 'on', '--write-timeout', '3s'] },
  async (service) => {
    const { port } = service;
    const items: Item[] = [];
    for (let at = 0; at < 25; at++) items.push((await addItem(port, `${at}`.padEnd(800_000, 'x')))!);
    await assertIntact(port, items);
    const before = service.memory();
    const sockets = await silentOnes(port, 60);
    for (const socket of sockets)
      socket.write('GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\nGET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n');
    await assertAnswers(port);
    const grown = service.memory() - before;
    assert.ok(grown < 100 * MIB, `${Math.round(grown / MIB)} MiB of memory for slow readers`);
    await until(
      async () => (await metric(port, 'http_connections')) <= 2,
      'the end of clients that do not read',
      30_000,
    );
    letGo(sockets);
    await assertIntact(port, items);
  },
);

export const smallHeap = faultOf(
  '64 MB of heap → full is 507, reading and many slow readers go on, deleting makes room',
  { node: ['--max-old-space-size=64'], flags: ['--health-checks', 'on'] },
  async (service) => {
    const { port } = service;
    await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const client = new Client(port);
        let status = 201;
        for (let count = 0; status === 201; count++)
          ({ status } = await client.send('POST', '/api/todo', { name: 'x'.repeat((count * 37 + at) % 2500) }));
        assert.equal(status, 507);
        client.close();
      }),
    );
    const full = await listItems(port);
    assert.equal(await addItem(port, 'y'.repeat(100_000)), undefined);
    const reader = new Client(port);
    for (const { key } of full.filter((_, at) => at % 4 === 0))
      assert.equal((await reader.send('GET', `/api/todo/${key}`)).status, 200);
    const readers = await silentOnes(port, 200);
    for (const [at, socket] of readers.entries()) {
      socket.write('GET /api/todo HTTP/1.1\r\nHost: a\r\n\r\n');
      if (at % 10 === 9)
        await reader.send('PATCH', `/api/todo/${full[(at * 97) % full.length]!.key}`, { name: 'changed' });
    }
    await assertAnswers(port);
    assert.ok(service.memory() < 300 * MIB, `${service.memory() / MIB} MiB of memory`);
    letGo(readers);
    for (const { key } of full.slice(-1000)) assert.ok(await removeItem(port, key));
    assert.ok(await addItem(port, 'room again'));
    assert.equal((await listItems(port)).length, full.length - 1000 + 1);
    reader.close();
  },
);
