/** Replies are whole, have their length, go at the pace of the client, and are one for a handler that fails. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, test } from 'node:test';
import type { Handler } from '../../../../src/core/http/context.ts';
import { HttpProblem } from '../../../../src/core/http/problem.ts';
import { empty, headerOf, json, stream, text, withHeaders } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import { ask, Client } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { assertCommonHeaders, assertProblem } from '../../../support/problem.ts';
import { logged, serve, serveHandler } from '../../../support/serve.ts';
import { endless, failing } from '../../../support/streams.ts';
import { table } from '../../../support/table.ts';
import { throwing } from '../../../support/throwing.ts';

const MIB = 2 ** 20;
const chunks = (count: number): Uint8Array[] => Array.from({ length: count }, (_, at) => Buffer.alloc(64 * 1024, at));

interface ReplyCase {
  readonly clause: string;
  readonly question: string;
  readonly answer: string;
  readonly reply: () => Reply;
  readonly body: string;
  readonly length: string | undefined;
}
const row = (question: string, reply: () => Reply, body: string, length: string | undefined): ReplyCase => ({
  clause: 'HTTP semantics',
  question,
  answer: length === undefined ? 'no length' : `Content-Length: ${length}`,
  reply,
  body,
  length,
});
const REPLIES: readonly ReplyCase[] = [
  row('text of many alphabets', () => text('日本 é'), '日本 é', '9'),
  row('JSON', () => json({ a: [1] }), '{"a":[1]}', '9'),
  row('a hand-made reply that says no length', () => ({ status: 200, headers: { 'X-A': 'b' }, body: 'é' }), 'é', '2'),
  row('bytes that say no length', () => ({ status: 200, headers: {}, body: Buffer.from('abc') }), 'abc', '3'),
  row('no body and no length', () => ({ status: 200, headers: {} }), '', '0'),
  row('204', () => empty(), '', undefined),
  row('304', () => empty({ status: 304 }), '', undefined),
  row('an empty 200', () => empty({ status: 200 }), '', '0'),
  row(
    'bytes that say their length',
    () => ({ status: 200, headers: ['Content-Length', '6'], body: Buffer.from('abcdef') }),
    'abcdef',
    '6',
  ),
  row('a stream', () => ({ status: 200, headers: {}, body: Readable.from(['abc', 'def']) }), 'abcdef', undefined),
  row(
    'a stream that says its length',
    () => ({ status: 200, headers: { 'content-length': '6' }, body: Readable.from(['abc', 'def']) }),
    'abcdef',
    '6',
  ),
];
table(REPLIES, async ({ reply, body, length }, t) => {
  const { port } = await serveHandler(t, reply);
  const whole = await ask(port, { target: '/' });
  assert.equal(whole.text, body);
  assert.equal(whole.headers['content-length'], length);
  assertCommonHeaders(whole);
  const head = await ask(port, { method: 'HEAD', target: '/' });
  assert.equal(head.headers['content-length'], length);
  const client = new Client(port);
  for (let times = 0; times < 3; times += 1)
    assert.equal((await client.ask({ target: '/' })).text, body, 'the connection is kept');
});

test('replies – a header by its name, in another case, in a list and in an object; replaced ones → found, replaced', () => {
  assert.equal(headerOf(text('a'), 'content-TYPE'), 'text/plain; charset=utf-8');
  assert.equal(headerOf({ status: 200, headers: { Etag: '"1"' } }, 'ETag'), '"1"');
  assert.equal(headerOf(text('a'), 'ETag'), undefined);
  const replaced = withHeaders(text('a'), { 'content-type': 'text/html', 'X-B': 'c' });
  assert.equal(headerOf(replaced, 'Content-Type'), 'text/html');
  assert.equal(headerOf(replaced, 'x-b'), 'c');
  assert.equal(headerOf(replaced, 'Content-Length'), '1');
});

test('replies – headers that every reply has, with other values → each is sent once, with the value of the reply', async (t) => {
  const other = { 'cross-origin-resource-policy': 'cross-origin', 'Referrer-Policy': 'same-origin' };
  const { port } = await serveHandler(t, () => text('a', { headers: other }));
  const { headers } = await ask(port, { target: '/' });
  assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.equal(headers['x-content-type-options'], 'nosniff');
});

// `says` is the cause in the log; undefined where the client is told.
const FAULTS: readonly (readonly [what: string, handler: Handler, status: number, says?: RegExp])[] = [
  ['throws', throwing(new Error('a secret')), 500, /a secret/],
  ['rejects', () => Promise.reject(new Error('a secret')), 500, /a secret/],
  ['throws what is no error', throwing('a secret'), 500, /a secret/],
  ['throws undefined', throwing(undefined), 500, /undefined/],
  ['throws null later', () => Promise.resolve().then(throwing(null)), 500, /null/],
  ['gives no reply', () => undefined as unknown as Reply, 500, /The handler returned nothing; return a reply/],
  [
    'gives a header that cannot be sent',
    () => ({ status: 200, headers: { 'X-A': 'a\r\nSet-Cookie: b' } }),
    500,
    /The handler returned a reply with the header X-A with a character that no header can carry/,
  ],
  [
    'gives a status that is none',
    () => ({ status: 99999, headers: {} }),
    500,
    /The handler returned a reply with the status \\"99999\\"/,
  ],
  ['throws a problem', throwing(new HttpProblem(409, 'Told to the client', { headers: { 'Retry-After': '7' } })), 409],
  ['rejects with a problem', () => Promise.reject(new HttpProblem(409, 'Told to the client')), 409],
];
for (const [what, handler, status, says] of FAULTS)
  test(`wire errors – a handler ${what} → one ${status}, the cause ${says ? 'only in the log' : 'in the reply'}`, async (t) => {
    const { client } = await serveHandler(t, (context) => (context.path === '/good' ? text('good') : handler(context)));
    const answer = await client.ask({ target: '/bad', headers: { 'X-Request-Id': 'the-id' } });
    assert.equal(assertProblem(answer, status).requestId, 'the-id');
    assert.doesNotMatch(answer.text, /a secret/);
    const lines = logged.splice(0);
    assert.equal(lines.length, says === undefined ? 0 : 1);
    if (says !== undefined) {
      assert.match(lines[0]!, says);
      assert.match(lines[0]!, /"requestId":"the-id"/);
    }
    assert.equal((await client.ask({ target: '/good' })).text, 'good');
  });

test('wire errors – a stream that fails half-way → the connection is closed, so that the client notices the truncation', async (t) => {
  const { port, client } = await serveHandler(t, ({ path }) =>
    path === '/good' ? text('good') : { status: 200, headers: {}, body: Readable.from(failing('half', 'gone')) },
  );
  void client.send({ target: '/' });
  await assert.rejects(client.answer(), /ended without an answer/);
  assert.match(logged.splice(0).join(), /The handler streamed a body that failed; the connection was closed/);
  assert.equal((await ask(port, { target: '/good' })).text, 'good');
});

test('wire errors – a client leaves in the middle of a stream → the stream is closed', async (t) => {
  const closed = gate();
  const { client } = await serveHandler(t, () => stream(endless().once('close', closed.open)));
  client.socket.once('data', () => client.destroy());
  await client.send({ target: '/' });
  await closed.passed;
});

for (const [what, leave] of [
  ['resets', (client: Client) => client.reset()],
  ['leaves', (client: Client) => client.destroy()],
] as const)
  test(`wire errors – a client ${what} before its answer → nothing is logged, and a stream of the answer is closed`, async (t) => {
    const [asked, left, closed] = [gate(), gate(), gate()];
    const { service, client } = await serveHandler(t, async () => {
      asked.open();
      await left.passed;
      return stream(Readable.from(['abc']).once('close', closed.open));
    });
    await client.send({ target: '/' });
    await asked.passed;
    const [connection] = service.connections;
    const gone = new Promise((resolve) => void connection!.socket.once('close', resolve));
    leave(client);
    // A client that closes its socket seems to have ended its side only.
    if (what === 'resets') await gone;
    left.open();
    await closed.passed;
    await gone;
  });

test('hardening – twenty clients ask for 64 MiB and do not read → bounded memory; one that reads gets it whole', async (t) => {
  const shared = chunks(1024);
  const { port, service } = await serveHandler(t, () => ({
    status: 200,
    headers: ['Content-Length', String(64 * MIB)],
    body: Readable.from(shared),
  }));
  const reader = await ask(port, { target: '/' });
  assert.equal(reader.body.length, 64 * MIB);
  assert.equal(reader.body[64 * 1024 * 3], 3);
  const clients = Array.from({ length: 20 }, () => new Client(port, { reads: false }));
  await Promise.all(clients.map((client) => client.send({ target: '/' })));
  const other = new Client(port);
  while ([...service.connections].filter(({ running }) => running?.response.headersSent).length < 20)
    await other.ask({ method: 'HEAD', target: '/' });
  const held = [...service.connections].reduce((sum, { socket }) => sum + socket.writableLength, 0);
  assert.ok(held < 20 * MIB, `${held} bytes are held`);
});

test('limits – a long list to a client that reads slowly, while the list changes → the list as it was, whole', async (t) => {
  const { port, service } = await serve(t);
  const writer = new Client(port);
  const slow = new Client(port, { reads: false });
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ name: 'x'.repeat(200_000) });
  for (let at = 0; at < 60; at += 1)
    assert.equal((await writer.ask({ method: 'POST', target: '/api/todo', headers, body })).status, 201);
  const before = await writer.ask({ target: '/api/todo' });
  await slow.send({ target: '/api/todo', headers: { Connection: 'close' } });
  while (![...service.connections].some(({ running, socket }) => running !== undefined && socket.writableLength > 0))
    await writer.ask({ target: '/nowhere' });
  for (const { key } of before.json())
    assert.equal((await writer.ask({ method: 'DELETE', target: `/api/todo/${key}` })).status, 204);
  slow.read();
  const [answer] = await slow.answers();
  assert.equal(answer!.headers['etag'], before.headers['etag']);
  assert.ok(answer!.body.equals(before.body));
  assert.equal((await writer.ask({ target: '/api/todo' })).text, '[]');
});

describe('hardening – clients that do not read', { concurrency: true }, () => {
  it('limits – nothing of a large reply is taken for the write time → cut, and what it held is let go', async (t) => {
    const closed = gate();
    const handle = () => stream(endless().once('close', closed.open));
    const { port } = await serveHandler(t, handle, { limits: { writeTimeout: 300 } });
    const client = new Client(port, { reads: false });
    await client.send({ target: '/' });
    await closed.passed;
    client.read();
    await client.over();
  });
  it('limits – a large reply that is taken slowly but steadily, longer than the write time → whole', async (t) => {
    const { client } = await serveHandler(
      t,
      () => ({ status: 200, headers: ['Content-Length', String(10 * MIB)], body: Readable.from(chunks(160)) }),
      { limits: { writeTimeout: 700 } },
    );
    void client.send({ target: '/', headers: { Connection: 'close' } });
    // Half a MiB, then a pause: the buffers of the server stay full for more than two write times.
    let taken = 0;
    client.socket.on('data', (chunk) => {
      taken += chunk.length;
      if (taken < MIB / 2) return;
      taken = 0;
      client.socket.pause();
      setTimeout(() => client.socket.resume(), 100);
    });
    const [answer] = await client.answers();
    assert.equal(answer!.body.length, 10 * MIB);
  });
});
