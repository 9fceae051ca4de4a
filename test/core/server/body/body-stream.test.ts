/** Bodies that are handed on as they come in (D74), at the pace of who takes them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { describe, it, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Context } from '../../../../src/core/http/context.ts';
import { contextWith } from '../../../../src/core/http/context-with.ts';
import type { Limits } from '../../../../src/core/http/limits.ts';
import { ClientGone, HttpProblem } from '../../../../src/core/http/problem.ts';
import { text } from '../../../../src/core/http/replies.ts';
import type { Reply } from '../../../../src/core/http/reply.ts';
import { streamedBody } from '../../../../src/core/http/request-body.ts';
import { connectInMemory } from '../../../../src/core/server/in-memory.ts';
import { contextFor } from '../../../../src/testing.ts';
import { ask, Client, requestBytes } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { assertProblem } from '../../../support/problem.ts';
import { logged, serveHandler } from '../../../support/serve.ts';
import { until } from '../../../support/until.ts';

const MIB = 2 ** 20;
const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\n';

/** A service whose handler gets the stream of the body. */
const serveStream = (
  t: TestContext,
  handle: (body: Readable, context: Context) => Promise<Reply>,
  { maxBytes, ...limits }: Partial<Limits> & { readonly maxBytes?: number } = {},
) => serveHandler(t, async (context) => handle(streamedBody(context, maxBytes), context), { limits });
const counting = async (body: Readable): Promise<Reply> => {
  let length = 0;
  for await (const chunk of body) length += (chunk as Buffer).length;
  return text(String(length));
};

test('D50 – a handler replies before the end of a streamed body, and the client reads nothing → closed after the write time', async (t) => {
  const { port, service } = await serveStream(
    t,
    async (body) => {
      await once(body, 'readable');
      return { status: 200, headers: {}, body: Buffer.alloc(16 * MIB) };
    },
    { writeTimeout: 300 },
  );
  const client = new Client(port, { reads: false });
  await client.send(`${HEAD}Content-Length: 10\r\n\r\npart`);
  await until(() => [...service.connections].some(({ unsent }) => unsent > MIB), 'the reply');
  await until(() => service.connections.size === 0, 'the end');
});

test('D74 – a body of 64 MiB that the handler does not take yet → less than 512 KiB of it is read; then all of it', async (t) => {
  const { passed, open } = gate();
  const { port, service } = await serveStream(
    t,
    async (body) => {
      await passed;
      return counting(body);
    },
    { maxBytes: 64 * MIB },
  );
  const client = new Client(port);
  void client.send(`${HEAD}Content-Length: ${64 * MIB}\r\n\r\n`);
  const block = Buffer.alloc(MIB);
  for (let at = 0; at < 64; at += 1) void client.send(block);
  await until(() => [...service.connections].some(({ socket }) => socket.isPaused()), 'the socket paused');
  const [connection] = service.connections;
  assert.ok(connection!.socket.bytesRead < 512 * 1024, `${connection!.socket.bytesRead} bytes were read`);
  assert.ok(service.bodyMemory > 0 && service.bodyMemory < 256 * 1024, `${service.bodyMemory} bytes are counted`);
  open();
  assert.equal((await client.answer()).text, String(64 * MIB));
  assert.equal(service.bodyMemory, 0);
});

for (const [what, body] of [
  ['with a length', 'abcdefgh'.repeat(40_000)],
  ['in chunks', Array.from({ length: 40 }, (_, at) => `${at},`.repeat(5000))],
  ['in 3,000 chunks of 50 bytes', Array.from({ length: 3000 }, (_, at) => `${at},`.padEnd(50, '.'))],
] as const)
  test(`D74 – a body ${what} → its bytes in order, and the connection serves the next request`, async (t) => {
    const { client } = await serveStream(t, async (stream) => text(Buffer.concat(await stream.toArray()).toString()));
    void client.send([
      { method: 'POST', body },
      { method: 'POST', body: '2' },
    ]);
    assert.equal((await client.answer()).text, [body].flat().join(''));
    assert.equal((await client.answer()).text, '2');
  });

test('D74 – an upload that waits behind another request of its packets → its bytes', async (t) => {
  const { passed, open } = gate();
  const { port, client } = await serveHandler(t, async (context) => {
    if (context.method === 'GET') await passed;
    return context.method === 'GET' ? text('first') : counting(streamedBody(context, undefined));
  });
  const body = 'x'.repeat(300_000);
  void client.send([{}, { method: 'POST', body }]);
  const other = new Client(port);
  await other.ask({ method: 'POST', body: 'x' });
  open();
  assert.equal((await client.answer()).text, 'first');
  assert.equal((await client.answer()).text, '300000');
});

for (const [question, limits, sent, status, detail] of [
  ['no body', {}, 'POST / HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'The request has no body; send one'],
  ['no chunk', {}, { method: 'POST', body: [] }, 400, 'The request has no body; send one'],
  ['more than is allowed', { maxBytes: 9 }, { method: 'POST', body: '1234567890' }, 413, 'larger than 9 bytes'],
  ['more than maxBody', { maxBody: 9 }, { method: 'POST', body: '1234567890' }, 413, 'larger than 9 bytes'],
  ['more in chunks', { maxBytes: 9 }, { method: 'POST', body: ['12345', '67890'] }, 413, 'larger than 9 bytes'],
  ['chunks of one byte', {}, { method: 'POST', body: Array.from({ length: 60_000 }, () => 'x') }, 413, 'framing'],
  ['gzip', {}, { method: 'POST', body: gzipSync('a'), headers: { 'Content-Encoding': 'gzip' } }, 415, 'without one'],
  [
    'no memory for it',
    { maxBody: 1, maxBodyMemory: 70_000 },
    { method: 'POST', body: 'x' },
    503,
    'too many request bodies',
  ],
] as const)
  test(`D74 – ${question} → ${status}`, async (t) => {
    const { port, service } = await serveStream(t, counting, limits);
    const client = new Client(port);
    void client.send(sent);
    const answer = await client.answer();
    assert.ok(assertProblem(answer, status).detail.includes(detail), answer.text);
    assert.equal(answer.headers['accept-encoding'], status === 415 ? 'identity' : undefined);
    assert.equal(service.bodyMemory, 0);
  });

for (const [what, leave, expected] of [
  ['resets', (client: Client) => client.reset(), ClientGone],
  // Its end comes first, and a body that ends too soon is a fault.
  ['leaves', (client: Client) => client.destroy(), HttpProblem],
] as const)
  test(`D74 – a client ${what} in the middle → the stream fails, nothing is logged, the memory is released`, async (t) => {
    const failed = gate();
    let error: unknown;
    const { port, service } = await serveStream(t, async (body) => {
      try {
        return await counting(body);
      } catch (caught) {
        error = caught;
        failed.open();
        throw caught;
      }
    });
    const client = new Client(port);
    await client.send(`${HEAD}Content-Length: 1000\r\n\r\nfour`);
    await until(() => service.bodyMemory > 0, 'the body begun');
    leave(client);
    await failed.passed;
    assert.ok(error instanceof expected, String(error));
    await until(() => service.connections.size === 0 && service.bodyMemory === 0, 'the connection gone');
  });

test('D74 – a client ends its side in the middle → 400', async (t) => {
  const { client } = await serveStream(t, counting);
  await client.send(`${HEAD}Content-Length: 1000\r\n\r\nfour`);
  client.end();
  const [answer, ...more] = await client.answers();
  assertProblem(answer!, 400);
  assert.deepEqual(more, []);
});

test('D74 – a handler that answers without the stream while the client writes on → the client gets the answer', async (t) => {
  const { port } = await serveStream(t, async () => text('early'), { maxBytes: 8 * MIB });
  const client = new Client(port, { reads: false });
  await client.send({ method: 'POST', body: Buffer.alloc(5 * MIB) });
  client.read();
  const [answer, ...more] = await client.answers();
  assert.deepEqual([answer!.text, answer!.headers['connection'], more], ['early', 'close', []]);
  assert.equal(client.error, undefined);
});

test('D74 – a handler that answers in the middle, or ends the stream, of a short body → the connection is kept', async (t) => {
  const failures: unknown[] = [];
  const { client } = await serveStream(t, async (body, { request }) => {
    const [first] = (await once(body, 'data')) as [Buffer];
    if (request.headers['x-ends']) body.destroy();
    else body.once('error', (error) => failures.push(error));
    return text(first.toString());
  });
  for (const line of ['', 'X-Ends: yes\r\n']) {
    await client.send(`${HEAD}${line}Content-Length: 8\r\n\r\nfour`);
    const answer = await client.answer();
    assert.deepEqual([answer.text, answer.headers['connection']], ['four', 'keep-alive']);
    await client.send('more');
  }
  assert.equal((await client.ask({ method: 'POST', body: 'next' })).text, 'next');
  assert.match(failures.join(), /^Error: Cannot read the body of the request: the reply has started/);
});

test('D74 – a client that waits for 100 Continue → gets it when the handler takes the first bytes', async (t) => {
  const { passed, open } = gate();
  let sent = '';
  const { client } = await serveStream(t, async (body, { request }) => {
    const { socket } = request;
    const write = socket.write.bind(socket) as (...words: unknown[]) => boolean;
    socket.write = (...words: unknown[]) => {
      sent += String(words[0]);
      return write(...words);
    };
    await passed;
    assert.equal(sent, '');
    return counting(body);
  });
  await client.send(`${HEAD}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`);
  open();
  assert.equal((await client.answer()).status, 100);
  await client.send('four');
  assert.equal((await client.answer()).text, '4');
});

test('D74 – the same, but the handler reads nothing → no 100, and the connection ends', async (t) => {
  const { client } = await serveStream(t, async () => text('no'));
  await client.send(`${HEAD}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`);
  const answers = await client.answers();
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['connection']]),
    [[200, 'close']],
  );
});

test('D74 – a stage has read the body for a copy → the stream has its bytes, with a base path in between too', async () => {
  const copy = contextWith(contextFor('/', { method: 'POST', body: 'sent' }), {
    body: async () => Buffer.from('made'),
  });
  for (const context of [copy, contextWith(copy, { basePath: '/a' })])
    assert.equal(String(await streamedBody(context, undefined).toArray()), 'made');
  const none = contextWith(copy, { body: async () => new Uint8Array() });
  await assert.rejects(streamedBody(none, undefined).toArray(), { status: 400 });
});

test('D74 – a context of a test, and a request without a socket → the body from the options', async (t) => {
  assert.equal(String(await streamedBody(contextFor('/', { method: 'POST', body: 'four' }), 4).toArray()), 'four');
  const { service } = await serveStream(t, counting);
  const socket = connectInMemory(service.server);
  socket.write(requestBytes({ method: 'POST', headers: { Connection: 'close' }, body: 'x'.repeat(500_000) }));
  assert.match(String(Buffer.concat(await socket.toArray())), /\r\n\r\n500000$/);
});

test('D74 – a handler that reads nothing within its time limit → 503, and the log names it', async (t) => {
  const { client } = await serveStream(t, () => new Promise(() => {}), { handlerTimeout: 1000 });
  void client.send({ method: 'POST', body: Buffer.alloc(MIB) });
  assertProblem(await client.answer(), 503);
  assert.match(logged.splice(0).join(), /Cannot wait longer for POST/);
});

describe('D74 – slow clients and handlers', { concurrency: true }, () => {
  it('limits – a client that was fast and then stops → 408, whatever it has sent before', async (t) => {
    const { client } = await serveStream(t, counting, { headTimeout: 1000, requestTimeout: 1000 });
    await client.send(`${HEAD}Content-Length: ${MIB}\r\n\r\n${'x'.repeat(MIB - 1)}`);
    const answer = await client.answer();
    assertProblem(answer, 408);
    assert.equal(answer.headers['connection'], 'close');
  });
  it('limits – a handler that takes its time with a body faster than it → all of it', async (t) => {
    const { port } = await serveStream(
      t,
      async (body) => {
        let length = 0;
        for await (const chunk of body) {
          length += (chunk as Buffer).length;
          if (length < 900_000) await new Promise((resolve) => void setTimeout(resolve, 700));
        }
        return text(String(length));
      },
      { headTimeout: 500, requestTimeout: 500, handlerTimeout: 2000 },
    );
    assert.equal((await ask(port, { method: 'POST', body: Buffer.alloc(MIB) })).text, String(MIB));
  });
  it('limits – a body that takes longer than the time for a request, without a pause → all of it', async (t) => {
    const { client, service } = await serveStream(t, counting, { headTimeout: 1000, requestTimeout: 1000 });
    const late = once(service.server, 'clientError');
    await client.send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const drip = setInterval(() => void client.send('1\r\nx\r\n'), 50);
    assert.equal(((await late) as [NodeJS.ErrnoException])[0].code, 'ERR_HTTP_REQUEST_TIMEOUT');
    clearInterval(drip);
    await client.send('4\r\nmore\r\n0\r\n\r\n');
    assert.ok(Number((await client.answer()).text) > 4);
    assert.equal((await client.ask({ method: 'POST', body: 'next' })).text, '4');
  });
});
