import assert from 'node:assert/strict';
import { readAnswers } from '../answers.ts';
import { startService } from '../running-service.ts';
import { latency, readToEnd, silentOnes } from './connections.ts';
import type { Fault } from './fault.ts';

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

export const tinyChunks: Fault = {
  name: 'bodies in a million chunks of one byte → refused before they cost memory; small chunks are taken',
  async run() {
    const service = await startService({ flags: ['--health-checks', 'on'] });
    const { port } = service;
    const before = service.memory();
    for (const path of ['/api/todo', '/nothing']) {
      const statuses = statusesOf(port, 10, head(path) + '1\r\nx\r\n'.repeat(2 ** 20));
      assert.ok((await latency(port)) < 3000);
      // Whoever goes on writing may lose the answer with the connection.
      assert.deepEqual(
        (await statuses).filter((status) => ![413, 404, 0].includes(status)),
        [],
      );
    }
    const growth = service.memory() - before;
    assert.ok(growth < 250 * 2 ** 20, `${Math.round(growth / 2 ** 20)} MiB of memory`);
    const item = JSON.stringify({ name: 'x'.repeat(800_000) });
    const small = JSON.stringify({ name: 'x'.repeat(5000) });
    assert.deepEqual(await statusesOf(port, 1, `${head('/api/todo')}${chunks(item, 32)}0\r\n\r\n`), [201]);
    assert.deepEqual(await statusesOf(port, 1, `${head('/api/todo')}${chunks(small, 1)}0\r\n\r\n`), [201]);
    assert.equal((await service.stop()).code, 0);
  },
};
