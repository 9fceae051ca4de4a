/** The memory of bodies: what is in memory counts, what is only announced does not (D44, D49). */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { limitsFrom } from '../../../../src/core/http/limits.ts';
import { HttpProblem } from '../../../../src/core/http/problem.ts';
import { text } from '../../../../src/core/http/replies.ts';
import { ask, Client } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { memoryInUse } from '../../../support/memory-in-use.ts';
import { assertProblem } from '../../../support/problem.ts';
import { serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

const KIB = 1024;
const HEAD = (length: number | 'chunked', more = ''): string =>
  `POST /held HTTP/1.1\r\nHost: a\r\n${more}` +
  (length === 'chunked' ? 'Transfer-Encoding: chunked\r\n\r\n' : `Content-Length: ${length}\r\n\r\n`);
/** The head and the bytes of a body of 90 KiB. */
const WHOLE = [HEAD(90 * KIB), Buffer.alloc(90 * KIB)] as const;

/** Two bodies of 100 KiB fit, a third does not. `/held` answers when the gate is open. */
async function served(t: TestContext, maxBodyMemory = 270 * KIB) {
  const held = gate();
  const { port, service } = await serveHandler(
    t,
    async (context) => {
      const { length } = await context.body();
      if (context.path === '/held') await held.passed;
      return text(String(length));
    },
    { limits: { maxBody: 100 * KIB, maxBodyMemory } },
  );
  const sending = async (head: string, bytes: Uint8Array = Buffer.alloc(0)): Promise<Client> => {
    const client = new Client(port);
    await client.send(head);
    if (bytes.length > 0) void client.send(bytes);
    return client;
  };
  return { port, service, held, sending };
}

test('limits – bodies that fill the memory → 503 with Retry-After for a new one, until one is answered', async (t) => {
  // The memory of a body doubles up to the limit of a body.
  const { port, service, held, sending } = await served(t, 300 * KIB);
  const clients = [await sending(...WHOLE), await sending(...WHOLE)];
  await sending(HEAD(88 * KIB), Buffer.alloc(87 * KIB));
  await until(() => service.bodyMemory === 300 * KIB, 'the memory is full');
  const waiting = new Client(port);
  await waiting.send(HEAD(100, 'Expect: 100-continue\r\n'));
  const refused = await waiting.answer();
  assertProblem(refused, 503);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await ask(port, { target: '/' })).text, '0', 'a request without a body goes on');
  held.open();
  for (const client of clients) assert.equal((await client.answer()).status, 200);
  await until(() => service.bodyMemory === 100 * KIB, 'room again');
  assert.equal((await ask(port, { method: 'POST', target: '/', body: 'four' })).text, '4');
});

for (const [how, head, bytes] of [
  ['with a length', ...WHOLE],
  [
    'in chunks',
    HEAD('chunked'),
    Buffer.concat([Buffer.from('16800\r\n'), Buffer.alloc(90 * KIB), Buffer.from('\r\n0\r\n\r\n')]),
  ],
] as const)
  test(`limits – a body ${how} that overflows the memory on its way → 503 with Retry-After, its memory is released`, async (t) => {
    const { service, held, sending } = await served(t);
    const clients = [await sending(...WHOLE), await sending(...WHOLE)];
    await until(() => service.bodyMemory >= 180 * KIB, 'two bodies');
    const before = service.bodyMemory;
    const last = await sending(head, bytes);
    const refused = await last.answer();
    assertProblem(refused, 503);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(service.bodyMemory, before);
    held.open();
    for (const client of clients) assert.equal((await client.answer()).status, 200);
    assert.equal(service.bodyMemory, 0);
  });

test('limits – two hundred announced bodies that are never sent → use no memory', async (t) => {
  const { port, service, sending } = await served(t);
  await Promise.all(Array.from({ length: 200 }, () => sending(HEAD(100 * KIB))));
  await until(
    () => [...service.connections].filter(({ reading }) => reading !== undefined).length === 200,
    'all are being read',
  );
  assert.equal(service.bodyMemory, 0);
  assert.equal((await ask(port, { method: 'POST', target: '/', body: 'x'.repeat(90 * KIB) })).text, String(90 * KIB));
});

test('limits – compressed bodies → the decoded bytes count, and a body that does not fit is refused midway', async (t) => {
  const { service, held, sending } = await served(t);
  const packed = gzipSync(Buffer.alloc(99 * KIB));
  const head = HEAD(packed.length, 'Content-Encoding: gzip\r\n');
  const clients = [await sending(head, packed)];
  await until(() => service.bodyMemory > 99 * KIB, 'the first decoded');
  clients.push(await sending(head, packed));
  await until(() => service.bodyMemory > 198 * KIB, 'the second decoded');
  assertProblem(await (await sending(head, packed)).answer(), 503);
  held.open();
  for (const client of clients) assert.equal((await client.answer()).text, String(99 * KIB));
  assert.equal(service.bodyMemory, 0);
});

for (const [what, leave] of [
  ['resets', (client: Client) => client.reset()],
  ['leaves', (client: Client) => client.destroy()],
] as const)
  test(`limits – a client ${what} in the middle of its body → its memory is released`, async (t) => {
    const { service, sending } = await served(t);
    leave(await sending(HEAD(90 * KIB), Buffer.alloc(80 * KIB)));
    await until(() => service.bodyMemory === 0, 'given back');
  });

test('limits – a body that arrives in segments of one byte → takes at most twice its length', async (t) => {
  const { service, sending } = await served(t);
  const client = await sending(HEAD(1000));
  for (let sent = 1; sent <= 200; sent++) {
    const [{ socket } = assert.fail()] = service.connections;
    const before = socket.bytesRead;
    await client.send('x');
    await until(() => socket.bytesRead > before, 'the byte read');
  }
  assert.ok(service.bodyMemory >= 200 && service.bodyMemory <= 400, `${service.bodyMemory} bytes`);
});

for (const [given, wants, says] of [
  [{ maxBody: 100 }, { maxBody: 100, maxBodyMemory: 64 * 2 ** 20 }, undefined],
  [{ maxBody: 2 ** 26 }, { maxBodyMemory: 2 ** 28 + 2 ** 16 }, undefined],
  [{ maxBody: undefined, headTimeout: undefined }, { maxBody: 2 ** 20, headTimeout: 15_000 }, undefined],
  [{ requestTimeout: 300 }, { headTimeout: 300, requestTimeout: 300 }, undefined],
  [{ headTimeout: 60_000 }, { headTimeout: 60_000, requestTimeout: 60_000 }, undefined],
  [{ writeTimeout: 0, maxConnections: Infinity }, { writeTimeout: 0, maxConnections: Infinity }, undefined],
  [
    { maxBody: 1000, maxBodyMemory: 67_535 },
    {},
    /Cannot use the limit maxBody "1000": one body of that size, encoded and decoded, does not fit into maxBodyMemory "67535"; raise/,
  ],
  [{ writeTimeout: Infinity }, {}, /Cannot use the limit writeTimeout "Infinity": the maximum is 2147483647 ms/],
  [
    { headTimeout: 2, requestTimeout: 1 },
    {},
    /Cannot use the limit headTimeout "2": the whole request has less time, requestTimeout "1"/,
  ],
  [{ maxBody: NaN }, {}, /Cannot use the limit maxBody "NaN": it is not a number of 0 or more/],
  [{ maxBody: -1 }, {}, /"-1"/],
  [{ maxBody: '1m' as unknown as number }, {}, /"1m"/],
  [{ idleTimeout: null as unknown as number }, {}, /Cannot use the limit idleTimeout "null"/],
] as const)
  test(`limits – ${JSON.stringify(given)} → ${says === undefined ? JSON.stringify(wants) : 'throws at composition'}`, () => {
    if (says !== undefined) assert.throws(() => limitsFrom(given), { name: 'RangeError', message: says });
    else assert.deepEqual({ ...limitsFrom(given), ...wants }, limitsFrom(given));
  });

for (const [framing, what, maxBody] of [
  ['a length', 'which nobody reads yet', 1000],
  ['chunks', 'which nobody reads yet', 1000],
  ['chunks', 'which is too large', 10],
] as const)
  test(`limits – a body with ${framing} in segments of one byte, ${what} → the client waits, and then it is answered`, async (t) => {
    const held = gate();
    const { service, client } = await serveHandler(
      t,
      async (context) => {
        if (maxBody < 1000) await assert.rejects(context.body(), { status: 413 });
        await held.passed;
        return text(maxBody < 1000 ? 'too large' : (await context.body()).join(''));
      },
      { limits: { maxBody } },
    );
    await client.send(HEAD(framing === 'chunks' ? 'chunked' : 1000));
    await until(() => service.connections.size === 1, 'the connection');
    const [{ socket } = assert.fail()] = service.connections;
    const segment = framing === 'chunks' ? '1\r\n\0\r\n' : '\0';
    let sent = 0;
    for (; sent < 200 && !socket.isPaused(); sent++) {
      const before = socket.bytesRead;
      await client.send(segment);
      await until(() => socket.bytesRead > before || socket.isPaused(), 'the byte read');
    }
    assert.ok(sent < 100, `${sent} segments`);
    held.open();
    if (maxBody === 1000) await client.send(segment.repeat(1000 - sent) + (framing === 'chunks' ? '0\r\n\r\n' : ''));
    assert.equal((await client.answer()).text, maxBody === 1000 ? '0'.repeat(1000) : 'too large');
  });

for (const what of ['waits for its handler', 'is refused'] as const)
  test(`limits – twenty clients with a packet of ten thousand chunks of a byte, whose body ${what} → at most 0.5 MB each`, async (t) => {
    const held = gate();
    const isRefused = what === 'is refused';
    const seen: string[] = [];
    const { port } = await serveHandler(
      t,
      async (context) => {
        // 413, or 503 once the memory of all bodies is full.
        if (isRefused) await assert.rejects(context.body(), HttpProblem);
        seen.push(context.path);
        await held.passed;
        return isRefused ? text('too large') : text((await context.body()).toString());
      },
      { limits: { maxBody: isRefused ? 5000 : 20_000 } },
    );
    const bytes = Array.from({ length: 10_000 }, (_, at) => String(at % 10));
    const body = `${bytes.map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;
    const before = memoryInUse();
    const clients = Array.from({ length: 20 }, () => new Client(port));
    for (const client of clients) void client.send(HEAD('chunked') + body);
    await until(() => seen.length === 20, 'all handlers wait');
    const grown = (memoryInUse() - before) / 20;
    assert.ok(grown < 500_000, `${grown} bytes for each`);
    held.open();
    const answers = await Promise.all(clients.map((client) => client.answer()));
    assert.deepEqual(new Set(answers.map((one) => one.text)), new Set([isRefused ? 'too large' : bytes.join('')]));
  });
