/** Bodies that are too large, compressed, slow or incomplete (D3). */

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { application } from '../../../../src/core/application/application.ts';
import { contextWith } from '../../../../src/core/http/context-with.ts';
import { text } from '../../../../src/core/http/replies.ts';
import type { Stage } from '../../../../src/core/pipeline/stage.ts';
import { ok } from '../../../../src/operations/operation/results.ts';
import { operation } from '../../../../src/operations/routes/operation-routes.ts';
import { byteStream, bytes, form } from '../../../../src/operations/uploads/upload.ts';
import { ask, Client, requestBytes, textsOf } from '../../../support/ask.ts';
import { assertParserProblem, assertProblem } from '../../../support/problem.ts';
import { serve, serveHandler, servePlugins } from '../../../support/serve.ts';

const item = '{"name":"日本","isComplete":true}';
/** A request that announces 14 bytes and sends eight. */
const HALF_SENT =
  'POST /api/todo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 14\r\n\r\n{"name":';
const MIB = 2 ** 20;
const bomb = Buffer.alloc(20 * MIB, ' ');
const CODINGS: readonly (readonly [
  question: string,
  coding: string | readonly string[],
  body: Uint8Array | string,
  status: number,
])[] = [
  ['gzip', 'gzip', gzipSync(item), 201],
  ['GZIP with white space', ' GZIP ', gzipSync(item), 201],
  ['x-gzip', 'x-gzip', gzipSync(item), 201],
  ['deflate', 'deflate', deflateSync(item), 201],
  ['br', 'br', brotliCompressSync(item), 201],
  ['identity', 'identity', item, 201],
  ['an empty coding', '', item, 201],
  ['zstd, which is not undone here', 'zstd', item, 415],
  ['two codings', 'gzip, br', brotliCompressSync(gzipSync(item)), 415],
  ['two codings in two lines', ['gzip', 'br'], brotliCompressSync(gzipSync(item)), 415],
  ['__proto__ as a coding', '__proto__', item, 415],
  ['gzip that is none', 'gzip', item, 400],
  ['gzip that ends too soon', 'gzip', gzipSync(item).subarray(0, -9), 400],
  ['deflate that is none', 'deflate', item, 400],
  ['br that is none', 'br', Buffer.from([255, 255, 255]), 400],
  ['gzip of nothing', 'gzip', gzipSync(''), 400],
  ['gzip of null', 'gzip', gzipSync('null'), 400],
  ['gzip of 1 MiB of JSON', 'gzip', gzipSync(item.padEnd(MIB - 4)), 201],
  ['gzip of 1 MiB and one byte', 'gzip', gzipSync(item.padEnd(MIB - 3)), 413],
  ['a gzip bomb of 20 MiB', 'gzip', gzipSync(bomb), 413],
  ['a deflate bomb of 20 MiB', 'deflate', deflateSync(bomb), 413],
  ['a brotli bomb of 20 MiB', 'br', brotliCompressSync(bomb, { params: { 1: 1 } }), 413],
];

test('D3 – bodies with a content coding → are decoded, or refused without storing anything', async (t) => {
  const { port } = await serve(t);
  const count = async (): Promise<number> => (await ask(port, { target: '/api/todo' })).json().length;
  for (const [question, coding, body, status] of CODINGS)
    await t.test(`D3 – ${question} → ${status}`, async () => {
      const before = await count();
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': coding };
      const answer = await ask(port, { method: 'POST', target: '/api/todo', headers, body });
      assert.equal(await count(), before + Number(status === 201));
      if (status === 201) return assert.equal(answer.json().name, '日本');
      assertProblem(answer, status);
      assert.equal(answer.headers['accept-encoding'], status === 415 ? 'gzip, deflate, br' : undefined);
    });
});

test('hardening – a client that writes without end after its 413 → is disconnected at the limit of discarded bytes', async (t) => {
  const { service, client } = await serveHandler(t, async (context) => text(String(await context.body())), {
    limits: { maxBody: 1000, drainTimeout: 60_000 },
  });
  await client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n');
  assertProblem(await client.answer(), 413);
  const [connection] = service.connections;
  let sent = 0;
  const block = Buffer.alloc(16 * 1024);
  while (!client.ended && sent < 64 * MIB) {
    await client.send(block);
    sent += block.length;
  }
  assert.ok(client.ended, 'it may write on for ever');
  assert.ok(connection!.socket.bytesRead < 8 * MIB, `${connection!.socket.bytesRead} bytes were read`);
});

test('hardening – a small unread body → is discarded, and the connection stays open', async (t) => {
  const { client } = await serve(t);
  const refused = await client.ask({ method: 'POST', target: '/nowhere', body: 'x'.repeat(10_000) });
  assertProblem(refused, 404);
  assert.equal(refused.headers['connection'], 'keep-alive');
  assert.equal((await client.ask({ target: '/api/todo' })).status, 200);
});

test('hardening – a body whose packets split a character → is joined', async (t) => {
  const { port, client } = await serve(t);
  const headers = { 'Content-Type': 'application/json' };
  const bytes = requestBytes({ method: 'POST', target: '/api/todo', headers, body: '{"name":"é"}' });
  const cut = bytes.indexOf(0xc3) + 1;
  await client.send(bytes.subarray(0, cut));
  const other = new Client(port);
  await other.ask({ target: '/api/todo' });
  await client.send(bytes.subarray(cut));
  assert.equal((await client.answer()).json().name, 'é');
});

for (const [stream, asked, takes, answer] of [
  ['of a request without a body', { target: '/' }, false, '||ended'],
  ['of a body that has been taken', { method: 'POST', target: '/', body: 'one' }, true, 'one||ended'],
  ['of a body that nobody took', { method: 'POST', target: '/', body: 'one' }, false, '|one|ended'],
] as const)
  test(`context – a stage reads the stream ${stream} to its end → ${answer}, and the connection stays open`, {
    timeout: 10_000,
  }, async (t) => {
    const { client } = await serveHandler(t, async (context) => {
      const taken = takes ? Buffer.from(await context.body()).toString() : '';
      let read = '';
      for await (const chunk of context.request) read += String(chunk);
      return text(`${taken}|${read}|${context.request.readableEnded ? 'ended' : ''}`);
    });
    for (const time of ['first', 'second']) assert.equal((await client.ask(asked)).text, answer, `the ${time} time`);
  });

test('hardening – GET with a body that never arrives → answered at once', async (t) => {
  const { client } = await serve(t);
  await client.send('GET /api/todo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n');
  assert.equal((await client.answer()).status, 200);
});

for (const [what, end] of [
  ['ends its side', (client: Client) => client.end()],
  ['resets', (client: Client) => client.reset()],
  ['leaves', (client: Client) => client.destroy()],
] as const)
  test(`wire errors – a client ${what} in the middle of a body → nothing is stored or logged, the connection is closed`, async (t) => {
    const { port, service, client } = await serve(t);
    await client.send(HALF_SENT);
    const other = new Client(port);
    await other.ask({ target: '/api/todo' });
    const one = [...service.connections].find(({ reading }) => reading !== undefined);
    assert.ok(one !== undefined);
    const gone = new Promise((resolve) => void one.socket.once('close', resolve));
    end(client);
    if (what === 'ends its side') {
      const [answer, ...more] = await client.answers();
      assertProblem(answer!, 400);
      assert.equal(more.length, 0);
      client.destroy();
    }
    await gone;
    assert.equal((await other.ask({ target: '/api/todo' })).json().length, 1);
  });

test('wire errors – a client that ends its side after a complete request → gets the answer, then the end', async (t) => {
  const { client } = await serveHandler(t, async (context) => {
    const body = await context.body();
    // The reply comes after the end of the client's side.
    if (!context.request.socket.readableEnded)
      await new Promise((resolve) => void context.request.socket.once('end', resolve));
    return text(`${body.length}`);
  });
  void client.send({ method: 'POST', target: '/', body: 'four' });
  client.end();
  const answers = await client.answers();
  assert.deepEqual(textsOf(answers), ['4']);
});

describe('hardening – slow clients', { concurrency: true }, () => {
  it('limits – a head that does not end → 408, then the end', async (t) => {
    const { client } = await serve(t, { headTimeout: 200 });
    await client.send('GET /api/todo HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const [answer, ...more] = await client.answers();
    assertParserProblem(answer!, 408);
    assert.equal(more.length, 0);
  });
  it('limits – a body that stops → 408 when the time for the request is over', async (t) => {
    const { client } = await serve(t, { headTimeout: 200, requestTimeout: 300 });
    await client.send(HALF_SENT);
    const [answer, ...more] = await client.answers();
    assert.equal(assertProblem(answer!, 408).instance, '/api/todo');
    assert.equal(more.length, 0);
  });
  it('limits – a connection that never says anything → closed without a word', async (t) => {
    const { client } = await serve(t, { headTimeout: 200 });
    assert.deepEqual(await client.answers(), []);
  });
  it('limits – a kept connection without a request → closed after the idle time', async (t) => {
    const { client } = await serve(t, { idleTimeout: 2300 });
    const { headers } = await client.ask({ target: '/api/todo' });
    assert.deepEqual([headers['connection'], headers['keep-alive']], ['keep-alive', 'timeout=2']);
    assert.deepEqual(await client.answers(), []);
  });
  it('limits – a connection that is silent for longer than the write time after a large reply → still answered', async (t) => {
    const { client } = await serveHandler(t, ({ path }) => text(path === '/large' ? 'x'.repeat(8 * 2 ** 20) : path), {
      limits: { writeTimeout: 2000, idleTimeout: 60_000 },
    });
    assert.equal((await client.ask({ target: '/large' })).body.length, 8 * 2 ** 20);
    await new Promise((resolve) => void setTimeout(resolve, 2500));
    assert.equal((await client.ask({ target: '/again' })).text, '/again');
  });
  it('limits – a handler that takes longer than every timeout → its answer', async (t) => {
    const { port } = await serveHandler(
      t,
      async () => {
        await new Promise((resolve) => void setTimeout(resolve, 1500));
        return text('late');
      },
      { limits: { headTimeout: 200, requestTimeout: 300, writeTimeout: 300, idleTimeout: 300 } },
    );
    assert.equal((await ask(port, { method: 'POST', target: '/', body: 'x' })).text, 'late');
  });
});

test('D3 – a body that a stage and its operation read → the same bytes for both', async () => {
  const seen: string[] = [];
  const signed: Stage = async (context, next) => {
    seen.push(String(await context.body()));
    return next(context);
  };
  const take = operation({
    method: 'POST',
    path: 'a',
    stages: [signed],
    body: { type: 'object', properties: { n: { type: 'integer' } } },
    responses: { 200: { schema: { type: 'string' } } },
    handle: async ({ context }) => ok(String(await context.body())),
  });
  const { request } = application([{ name: 'a', routes: [take] }]);
  const reply = await request('/a', { method: 'POST', json: { n: 1 } });
  assert.deepEqual([reply.status, await reply.json(), seen], [200, '{"n":1}', ['{"n":1}']]);
});

const limit = { maxBytes: 6 } as const;
const type = 'application/json';
for (const [what, upload] of [
  ['bytes', bytes({ mediaTypes: [type], ...limit })],
  ['a stream', byteStream({ mediaTypes: [type], ...limit })],
  ['a form', form({ name: { type: 'string' } }, limit)],
] as const) {
  const read: Stage = async (context, next) => {
    await context.body();
    return next(context);
  };
  const given: Stage = (context, next) =>
    next(contextWith(context, { body: async () => Buffer.from(String(context.query.get('body'))) }));
  for (const [how, stage] of [
    ['has read the body before', read],
    ['gives another body', given],
  ] as const)
    test(`D74 – ${what} of at most 6 bytes, and a stage ${how} → 413 for seven, 200 for six`, async (t) => {
      const take = operation({
        method: 'POST',
        path: 'a',
        stages: [stage],
        body: upload as ReturnType<typeof byteStream>,
        responses: { 200: { schema: { type: 'string' } } },
        async handle({ body }) {
          if (body instanceof Readable) await body.toArray();
          return ok('taken');
        },
      });
      const { port } = await servePlugins(t, [{ name: 'a', routes: [take] }]);
      for (const [body, status] of [
        ['name=ab', 413],
        ['name=a', 200],
      ] as const) {
        const headers = { 'Content-Type': what === 'a form' ? 'application/x-www-form-urlencoded' : type };
        const question = { method: 'POST', target: `/a?body=${encodeURIComponent(body)}`, headers };
        const answer = await ask(port, { ...question, body: how === 'gives another body' ? 'sent' : body });
        assert.equal(answer.status, status);
        if (status === 413) assert.equal(assertProblem(answer, 413).detail, 'The body is larger than 6 bytes');
      }
    });
}
