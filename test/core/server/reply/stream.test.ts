/** Streamed replies: the bytes that a client gets, and the end of the source. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type StreamSource, stream } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import { ask, Client } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { logged, serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

const bytes = Uint8Array.of(0, 255, 10);
async function* pieces() {
  yield 'a';
  yield Buffer.from('ü');
  yield '';
  yield 'c';
}
const SOURCES: readonly (readonly [what: string, make: () => StreamSource, body: string | Uint8Array])[] = [
  ['a generator that waits', pieces, 'aüc'],
  [
    'a generator that does not wait',
    function* () {
      yield 'a';
      yield bytes;
    },
    Buffer.concat([Buffer.from('a'), bytes]),
  ],
  ['a list', () => ['a', 'b'], 'ab'],
  ['an empty list', () => [], ''],
  ['a text, which is sent as one chunk', () => 'äb', 'äb'],
  ['bytes, which are sent as one chunk', () => bytes, bytes],
  ['a stream of Node', () => Readable.from(['a', 'b']), 'ab'],
  ['a stream of the Web', () => new Blob(['web ', bytes]).stream(), Buffer.concat([Buffer.from('web '), bytes])],
];
for (const [what, make, body] of SOURCES)
  test(`D75 – ${what} → the body has its texts and bytes`, async (t) => {
    const { port } = await serveHandler(t, () => stream(make()));
    const answer = await ask(port, {});
    assert.deepEqual(answer.body, Buffer.from(body as string));
    assert.equal(answer.headers['content-type'], 'application/octet-stream');
    assert.equal(answer.headers['transfer-encoding'], 'chunked');
  });

test('D75 – a stream of many small texts → they are joined into chunks', async (t) => {
  const { client } = await serveHandler(t, () => stream(Array.from({ length: 1000 }, () => 'a text of a line\n')));
  void client.send({ headers: { Connection: 'close' } });
  await client.over();
  assert.ok(client.rest.toString().split('\r\n').length < 20);
});

const REPLACED = { 'content-type': 'a/b', 'content-security-policy': 'sandbox', 'X-Own': 'c' };
const HEADS: readonly (readonly [what: string, reply: () => Reply, status: number, head: Record<string, string>])[] = [
  [
    'a media type of text',
    () => stream('a', { mediaType: 'text/csv' }),
    200,
    { 'content-type': 'text/csv; charset=utf-8' },
  ],
  [
    'a media type of text with a charset',
    () => stream('a', { mediaType: 'text/plain; charset=latin1' }),
    200,
    { 'content-type': 'text/plain; charset=latin1' },
  ],
  ['a status', () => stream('a', { status: 201 }), 201, {}],
  [
    'headers that replace its default headers',
    () => stream('a', { headers: REPLACED }),
    200,
    { 'content-type': 'a/b', 'content-security-policy': 'sandbox', 'x-own': 'c' },
  ],
  ['a length', () => stream(['ab', 'c'], { headers: { 'Content-Length': '3' } }), 200, { 'content-length': '3' }],
];
for (const [what, reply, status, head] of HEADS)
  test(`D75 – a stream with ${what} → the response has that head`, async (t) => {
    const { port } = await serveHandler(t, reply);
    const { status: sent, headers } = await ask(port, {});
    assert.equal(sent, status);
    for (const [name, value] of Object.entries(head)) assert.equal(headers[name], value);
  });

/** A stream that never ends, and a record of its state. */
async function endless(t: TestContext) {
  const state = { started: 0, ended: 0, yielded: 0 };
  async function* source() {
    state.started++;
    try {
      for (;;) {
        state.yielded++;
        yield 'x'.repeat(10_000);
      }
    } finally {
      state.ended++;
    }
  }
  const { port } = await serveHandler(t, () => stream(source()));
  return { port, state };
}

test('D75 – a client that does not read, then disconnects → the generator waits, then ends', async (t) => {
  const { port, state } = await endless(t);
  const client = new Client(port, { reads: false });
  await client.send({});
  let before = -1;
  await until(async () => {
    const isSteady = state.yielded === before && before > 0;
    before = state.yielded;
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    return isSteady && state.yielded === before;
  }, 'a source that waits');
  client.destroy();
  await until(() => state.ended === 1, 'the end');
});

test('D75 – HEAD → only the head is sent, and the generator is not started', async (t) => {
  const { port, state } = await endless(t);
  const { status, headers } = await ask(port, { method: 'HEAD' });
  assert.deepEqual([status, headers['content-type']], [200, 'application/octet-stream']);
  assert.equal(state.started, 0);
});

test('D75 – a stream of the Web whose client disconnects → it is cancelled', async (t) => {
  const cancelled = gate();
  const web = new ReadableStream({
    pull(controller) {
      controller.enqueue('x'.repeat(10_000));
    },
    cancel: () => cancelled.open(),
  });
  const { client } = await serveHandler(t, () => stream(web));
  await client.send({});
  await until(() => client.received > 100_000, 'some bytes');
  client.destroy();
  await cancelled.passed;
});

for (const [what, source, status, message] of [
  ['fails before its first byte', () => Promise.reject(new Error('a lost disk')), 500, /a lost disk/],
  [
    'yields a value that is neither a text nor bytes',
    async () => ({ value: { a: 1 }, done: false }),
    500,
    /Cannot send an object as part/,
  ],
] as const)
  test(`D75 – a source that ${what} → the log names the cause`, async (t) => {
    const iterable = { [Symbol.asyncIterator]: () => ({ next: source }) } as unknown as AsyncIterable<string>;
    const { client } = await serveHandler(t, () => stream(iterable));
    void client.send({ headers: { Connection: 'close' } });
    await client.over();
    assert.match(client.rest.toString(), new RegExp(`^HTTP/1\\.1 ${status} `));
    await until(() => logged.length > 0, 'the log');
    assert.match(logged.splice(0).join(), message);
  });
