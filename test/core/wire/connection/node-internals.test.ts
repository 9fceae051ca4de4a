/**
 * What this service relies on in Node beyond its manual, on a plain server: a case fails when a version of Node changes
 * it.
 *
 * A case that changes what Node does by default shows the default too, so that a way without internals is noticed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  allowHalfOpen,
  announceKeepAlive,
  closeWithoutCutting,
  detachParser,
  flushedBytes,
  isUnixSocket,
  markConsumed,
  redirectChunks,
  replaceClose,
  restoreChunks,
  serverOf,
  writeJudgedHead,
} from '../../../../src/core/wire/connection/node-internals.ts';
import { Client } from '../../../support/ask.ts';
import { gate } from '../../../support/gate.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { until } from '../../../support/until.ts';

const MIB = 2 ** 20;
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST_GET = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n';

async function serveNode(t: TestContext, listener: RequestListener): Promise<{ server: Server; client: Client }> {
  const server = createServer({ keepAliveTimeout: 0 }, listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = new Client((server.address() as AddressInfo).port);
  t.after(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  return { server, client };
}

test('node – a socket of a Unix domain is told from one of the network, and from a closed one of either', async (t) => {
  const path = `${temporaryFolder({})}/socket`;
  for (const [where, expected] of [
    [{ path }, true],
    [{ port: 0, host: '127.0.0.1' }, false],
  ] as const) {
    const server = createServer().listen(where);
    t.after(() => server.close());
    await once(server, 'listening');
    const address = server.address() as AddressInfo | string;
    const client = connect(typeof address === 'string' ? { path } : { port: address.port });
    const [socket] = (await once(server, 'connection')) as [Socket];
    assert.equal(isUnixSocket(socket), expected);
    assert.equal(socket.remoteAddress === undefined, expected);
    client.destroy();
    socket.destroy();
    assert.equal(isUnixSocket(socket), false);
  }
});

for (const [what, mark, events] of [
  ['marked as consumed', true, []],
  // Node 20 to 24 resume it too.
  ['left to Node', false, ['end', 'close']],
] as const) {
  test(`node – the stream of a request, ${what} → emits ${events.join(', ') || 'nothing'}, the connection goes on`, async (t) => {
    const emitted: string[] = [];
    const { client } = await serveNode(t, (request, response) => {
      for (const event of mark ? ['resume', 'end', 'close'] : events) request.on(event, () => emitted.push(event));
      if (mark) markConsumed(request);
      response.end('a');
    });
    for (let times = 1; times <= 2; times++) {
      await client.send(GET);
      assert.equal((await client.answer()).text, 'a');
      await until(() => emitted.length >= times * events.length, 'the events');
    }
    assert.deepEqual(emitted, [...events, ...events]);
  });
}

test('node – the stream of a request that is marked as consumed → at its end for one that reads it', async (t) => {
  const { client } = await serveNode(t, async (request, response) => {
    markConsumed(request);
    let read = '';
    for await (const chunk of request) read += String(chunk);
    response.end(`${read}|${request.readableEnded}`);
  });
  await client.send(GET);
  assert.equal((await client.answer()).text, '|true');
});

test('node – chunks of a body that are redirected → not in the stream; restored → in the stream', async (t) => {
  const redirected: (string | null)[] = [];
  const streamed: string[] = [];
  const { client } = await serveNode(t, (request, response) => {
    request.on('data', (chunk) => streamed.push(String(chunk)));
    redirectChunks(request, function push(chunk) {
      assert.equal(this, request);
      redirected.push(chunk === null ? null : Buffer.from(chunk).toString());
      if (redirected.length === 1) restoreChunks(request);
      return chunk !== null;
    });
    request.on('end', () => response.end('a'));
  });
  await client.send(`${POST}abc`);
  await until(() => redirected.length > 0, 'the first chunk');
  await client.send('def');
  assert.equal((await client.answer()).text, 'a');
  assert.deepEqual([redirected, streamed], [['abc'], ['def']]);
});

test('node – the end of a body whose chunks are redirected → null, once', async (t) => {
  const redirected: (string | null)[] = [];
  const { client } = await serveNode(t, (request, response) => {
    redirectChunks(request, (chunk) => {
      redirected.push(chunk === null ? null : Buffer.from(chunk).toString());
      if (chunk === null) response.end('a');
      return chunk !== null;
    });
  });
  await client.send(`${POST}abcdef`);
  await client.answer();
  assert.deepEqual(redirected, ['abcdef', null]);
});

test('node – one large chunk of which a client takes a part → the flushed bytes are between none and all', async (t) => {
  const whole = Buffer.alloc(64 * MIB);
  let socket!: Socket;
  const { client } = await serveNode(t, (request, response) => {
    socket = request.socket;
    response.end(whole);
  });
  const taking = client.send(GET);
  client.socket.on('data', () => {
    if (client.received < MIB) return;
    client.socket.pause();
  });
  await until(() => client.received >= MIB, 'a part');
  await taking;
  assert.equal(flushedBytes(socket) >= MIB && flushedBytes(socket) < whole.length, true, `${flushedBytes(socket)}`);
  client.socket.removeAllListeners('data');
  client.socket.resume();
  await until(() => flushedBytes(socket) > whole.length, 'all and the head');
  assert.equal(flushedBytes(socket), socket.bytesWritten);
});

test('node – a keep-alive time that is announced on a server without one → the header in seconds', async (t) => {
  const { client } = await serveNode(t, (_, response) => {
    announceKeepAlive(response, 7000);
    response.end();
  });
  await client.send(GET);
  assert.equal((await client.answer()).headers['keep-alive'], 'timeout=7');
});

for (const [what, allow, status] of [
  ['that allows half-open connections', true, 200],
  ['as Node has it', false, undefined],
] as const) {
  test(`node – a server ${what}, a client that ends its side before the reply → ${status ?? 'no reply'}`, async (t) => {
    const { server, client } = await serveNode(t, (request, response) => {
      request.socket.once('end', () => setImmediate(() => response.end('a')));
    });
    if (allow) allowHalfOpen(server);
    await client.send(GET);
    client.end();
    assert.equal((await client.answers())[0]?.status, status);
  });
}

test('node – a close that is replaced → called once the last reply is written, and Node closes nothing', async (t) => {
  let calls = 0;
  const { client } = await serveNode(t, (request, response) => {
    replaceClose(request.socket, () => {
      assert.equal(response.writableFinished, true);
      calls++;
    });
    response.end('a');
  });
  await client.send(LAST_GET);
  assert.equal((await client.answer()).text, 'a');
  await until(() => calls > 0, 'the close');
  assert.deepEqual([calls, client.ended], [1, false]);
});

const judged: readonly (readonly [
  what: string,
  request: string,
  status: number,
  lines: readonly string[],
  end: string,
])[] = [
  ['a body of one piece', GET, 200, ['Content-Length', '2', 'ETag', '"a"'], 'ok'],
  ['a body without a length', GET, 200, ['X-A', 'a'], 'ok'],
  ['a body in parts', GET, 200, ['X-A', 'a', 'X-A', 'b'], 'in parts'],
  ['a length in other letters', GET, 200, ['content-length', '2'], 'ok'],
  ['a date of its own', GET, 200, ['date', 'Tue, 15 Nov 1994 08:12:31 GMT', 'Content-Length', '2'], 'ok'],
  ['no body', GET, 204, [], ''],
  ['a 304', GET, 304, ['ETag', '"a"'], ''],
  ['a reply to HEAD', GET.replace('GET', 'HEAD'), 200, ['Content-Length', '2'], ''],
  ['a reply to HTTP/1.0', GET.replace('1.1', '1.0'), 200, ['Content-Length', '2'], 'ok'],
  ['a reply to HTTP/1.0 without a length', GET.replace('1.1', '1.0'), 200, [], 'ok'],
  ['a client that closes', LAST_GET, 200, ['Content-Length', '2'], 'ok'],
  ['a value with an obsolete character', GET, 200, ['X-A', 'caf\xe9', 'Content-Length', '2'], 'ok'],
];
for (const [what, request, status, lines, end] of judged) {
  for (const closes of [false, true])
    test(`node – the head of ${what}${closes ? ', the last' : ''} → the lines of writeHead, and its framing`, async (t) => {
      const asked = closes || /1\.0|close/.test(request) ? request : request + LAST_GET;
      const answers: string[] = [];
      for (const isJudged of [false, true]) {
        const { client } = await serveNode(t, (incoming, response) => {
          if (!isJudged) response.writeHead(status, [...lines, 'X-Z', 'z', ...(closes ? ['Connection', 'close'] : [])]);
          else {
            const head = { status, phrase: STATUS_CODES[status]!, lines, further: 'X-Z: z\r\n', closes };
            assert.ok(writeJudgedHead(response, head));
          }
          incoming.resume();
          if (end === 'in parts') response.write('first ');
          response.end(end);
        });
        await client.send(asked);
        await client.over();
        // The order of the lines is another, and the time may be.
        const heads = client.rest.toString('latin1').split(/(?<=\r\n\r\n|\n\r\n.+)(?=HTTP)/);
        const sorted = heads.map((text) =>
          text
            .split('\r\n')
            .sort()
            .join('\n')
            .replace(/^Date: (?!.* 1994 ).*$/m, 'Date'),
        );
        answers.push(sorted.join('\n'));
      }
      assert.match(answers[0]!, new RegExp(`^HTTP/1.1 ${status} `, 'm'));
      assert.equal(answers[1], answers[0]);
    });
}

const replaced: readonly (readonly [what: string, replace: (response: ServerResponse) => void])[] = [
  [
    'whose writeHead middleware has replaced',
    (response) => Object.assign(response, { writeHead: response.writeHead.bind(response) }),
  ],
  ['on which a framework has set a header', (response) => void response.setHeader('X-Powered-By', 'Express')],
];
for (const [what, replace] of replaced)
  test(`node – a response ${what} → its head is left to writeHead`, async (t) => {
    const { client } = await serveNode(t, (_request, response) => {
      replace(response);
      const head = { status: 200, phrase: 'OK', lines: ['X-A', 'a'], further: '', closes: false };
      response.end(String(writeJudgedHead(response, head)));
    });
    assert.equal((await client.ask({})).text, 'false');
  });

test('node – a socket whose parser is detached → the bytes of the next request, which is not parsed', async (t) => {
  let requests = 0;
  let read = '';
  const { client } = await serveNode(t, (request, response) => {
    requests++;
    response.end('a', () =>
      detachParser(request.socket, (chunk) => {
        read += Buffer.from(chunk).toString();
      }),
    );
  });
  await client.send(GET);
  await client.answer();
  await client.send(GET);
  await until(() => read === GET, 'the bytes');
  assert.equal(requests, 1);
});

test('node – a request → tells the server that accepted its connection', async (t) => {
  const asked: unknown[] = [];
  const { server, client } = await serveNode(t, (request, response) => {
    asked.push(serverOf(request));
    response.end('a');
  });
  await client.send(GET);
  await client.answer();
  assert.deepEqual([asked.length, asked[0] === server], [1, true]);
});

test('node – a server that is closed without cutting → an idle connection stays, and the end follows it', async (t) => {
  const closed = gate();
  const { server, client } = await serveNode(t, (_, response) => response.end('a'));
  await client.send(GET);
  await client.answer();
  closeWithoutCutting(server, closed.open);
  assert.equal(server.listening, false);
  await client.send(GET);
  assert.equal((await client.answer()).text, 'a');
  client.destroy();
  await closed.passed;
});

test('Bun – a server that is none of node:net → closed as it can be', () => {
  let closes = 0;
  const server = { close: (closed: () => void) => (closes++, closed()) } as unknown as Server;
  let ends = 0;
  closeWithoutCutting(server, () => void ends++);
  assert.deepEqual([closes, ends], [1, 1]);
});
