/** A listener inside a host: what falls through, what does not, and several of them on one connection (D78). */

import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Context } from '../../../src/core/http/context.ts';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { text, withHeaders } from '../../../src/core/http/replies.ts';
import { slot } from '../../../src/core/http/slot.ts';
import { unanswered } from '../../../src/core/http/unanswered.ts';
import { pipeline } from '../../../src/core/pipeline/pipeline.ts';
import { problems } from '../../../src/core/pipeline/problems.ts';
import type { Stage } from '../../../src/core/pipeline/stage.ts';
import { route } from '../../../src/core/routing/route.ts';
import { HttpService, listener } from '../../../src/core/server/service.ts';
import { bytes, form } from '../../../src/operations/uploads/upload.ts';
import { staticSite } from '../../../src/plugins/files/files.ts';
import { ask, Client, type Question } from '../../support/ask.ts';
import { gate } from '../../support/gate.ts';
import { plain, read } from '../../support/plain-routes.ts';
import { serveListener } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { throwing } from '../../support/throwing.ts';

/** What the host answers: the body that is left of the request, and the headers that are set. */
async function answerAsHost(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const left = Buffer.concat(await request.toArray()).toString();
  response.end(`host ${request.method} ${request.url} ${left} ${response.getHeaderNames().join()}`.trimEnd());
}

const BEFORE = 'Sun, 06 Nov 1994 08:49:37 GMT';
const AFTER = 'Sun, 06 Nov 2094 08:49:37 GMT';
const FORM = 'multipart/form-data; boundary=';
const LINES: readonly (readonly [question: Question, status: number])[] = [
  [{ method: 'POST', target: '/json', headers: { 'Content-Type': ['application/json', 'text/plain'] } }, 415],
  [{ method: 'POST', target: '/json', headers: { 'Content-Type': ['application/json', ''] } }, 415],
  [{ method: 'POST', target: '/json', headers: { 'content-type': ['application/json', 'application/json'] } }, 415],
  [{ method: 'POST', target: '/json', headers: { 'Content-Type': 'application/json' } }, 204],
  [{ method: 'POST', target: '/form', headers: { 'Content-Type': [`${FORM}a`, `${FORM}b`] } }, 415],
  [{ method: 'POST', target: '/bytes', headers: { 'Content-Type': ['text/csv', 'text/html'] } }, 415],
  [{ target: '/a.txt', headers: { 'If-Modified-Since': AFTER } }, 304],
  [{ target: '/a.txt', headers: { 'If-Modified-Since': [AFTER, AFTER] } }, 200],
  [{ target: '/a.txt', headers: { 'If-Modified-Since': [AFTER, BEFORE] } }, 200],
  [{ target: '/a.txt', headers: { 'If-Unmodified-Since': BEFORE } }, 412],
  [{ target: '/a.txt', headers: { 'If-Unmodified-Since': [BEFORE, AFTER] } }, 200],
  [{ target: '/a.txt', headers: { Range: 'bytes=0-0' } }, 206],
  [{ target: '/a.txt', headers: { Range: ['bytes=0-0', 'bytes=1-1'] } }, 200],
  [{ target: '/a.txt', headers: { Range: 'bytes=0-0', 'If-Range': ['"a"', '"b"'] } }, 200],
  [{ method: 'POST', target: '/json', headers: { 'Content-Encoding': ['gzip', 'br'] } }, 415],
];
const site = temporaryFolder({ 'a.txt': 'abc' });
// A file has no date until its second is over (D36).
utimesSync(join(site, 'a.txt'), 0.9e9, 0.9e9);
const lines = application([
  staticSite({ root: site }),
  {
    name: 'lines',
    routes: [
      read('json', { method: 'POST', body: { type: 'object' } }),
      read('form', { method: 'POST', body: form({ a: { type: 'file' } }) }),
      read('bytes', { method: 'POST', body: bytes({ mediaTypes: ['text/csv'] }) }),
    ],
  },
]);
for (const [question, status] of LINES) {
  const { method = 'GET', target, headers } = question;
  test(`RFC 9110 §5.2, §8.3 – ${method} ${target} with ${JSON.stringify(headers)}, in a service and in a host → ${status}`, async (t) => {
    const service = new HttpService(lines);
    t.after(() => service.close(0));
    const ports = [(await service.listen(0)).port, await serveListener(t, listener(lines))];
    const body = method === 'POST' ? '{}' : undefined;
    for (const port of ports) assert.equal((await ask(port, { ...question, ...(body && { body }) })).status, status);
  });
}

test('RFC 9110 §5.2 – a header in several lines that the host has changed → as the host left it', async (t) => {
  const listen = listener(({ headers }) => text(`${headers['user-agent']} ${headers.referer} ${headers['x-a']}`));
  const port = await serveListener(t, (request, response) => {
    request.headers['user-agent'] = 'own';
    listen(request, response);
  });
  const headers = { 'User-Agent': ['a', 'b'], Referer: ['a', 'b'], 'X-A': ['a', 'b'] };
  assert.equal((await ask(port, { target: '/', headers })).text, 'own a, b a, b');
});

const around =
  (listen: ReturnType<typeof listener>): RequestListener =>
  (request, response) =>
    listen(request, response, () => void answerAsHost(request, response));

const user = slot<string>('user');
const STAGES: Record<string, Stage> = {
  'adds a header': async (context, next) => withHeaders(await next(context), { 'X-Stage': 'yes' }),
  'answers 410 in its place': async (context, next) => {
    const reply = await next(context);
    return reply.status === 404 ? text('gone', { status: 410 }) : reply;
  },
  'answers another 404 in its place': async (context, next) => {
    const reply = await next(context);
    return reply.status === 404 ? text('a page', { status: 404 }) : reply;
  },
  'reads the body first': async (context, next) => {
    user.set(context, String(await context.body()));
    return next(context);
  },
  'begins to read the body': (context, next) => {
    context.body().catch(() => {});
    return next(context);
  },
  'swallows that the body is too large': async (context, next) => {
    await context.body().catch(() => {});
    return next(context);
  },
  throws: throwing(new HttpProblem(403, 'Not you')),
};
const composed = (stage?: Stage, unansweredOwn?: (context: Context) => ReturnType<typeof text>) =>
  application(
    [
      {
        name: 'mine',
        ...(stage && { stages: [stage] }),
        routes: [
          plain('mine'),
          route({ path: 'absent', handle: ({ context }) => text(`none ${context.path}`, { status: 404 }) }),
        ],
      },
    ],
    unansweredOwn && { unanswered: unansweredOwn },
  );

const SENT = 'sent '.repeat(3);
for (const [stage, method, path, status, answer] of [
  ['', 'GET', '/mine', 200, 'mine'],
  ['', 'GET', '/absent', 404, 'none /absent'],
  ['', 'GET', '/theirs?x', 200, 'host GET /theirs?x'],
  ['', 'POST', '/theirs', 200, `host POST /theirs ${SENT.trim()}`],
  ['', 'OPTIONS', '*', 200, 'host OPTIONS *'],
  ['', 'GET', '/%zz', 200, 'host GET /%zz'],
  ['adds a header', 'POST', '/theirs', 200, `host POST /theirs ${SENT.trim()}`],
  ['answers 410 in its place', 'GET', '/theirs', 410, 'gone'],
  ['answers another 404 in its place', 'GET', '/theirs', 404, 'a page'],
  ['reads the body first', 'POST', '/theirs', 200, `host POST /theirs ${SENT.trim()}`],
  ['reads the body first', 'POST', '/mine', 200, 'mine'],
  ['begins to read the body', 'POST', '/theirs', 200, `host POST /theirs ${SENT.trim()}`],
  ['swallows that the body is too large', 'POST', '/theirs', 200, `host POST /theirs ${SENT.trim()}`],
  ['throws', 'GET', '/theirs', 403, 'problem'],
] as const)
  for (const body of method === 'POST' ? [SENT, ['sent ', 'sent ', 'sent ']] : [undefined])
    test(`D78 – ${method} ${path}${Array.isArray(body) ? ' in chunks' : ''}, a stage that ${stage || 'is none'} → ${status} ${answer}`, async (t) => {
      const limits = stage.startsWith('swallows') ? { maxBody: 7 } : {};
      const port = await serveListener(t, around(listener(composed(STAGES[stage]), { limits })));
      const got = await ask(port, { method, target: path, ...(body !== undefined && { body }) });
      assert.equal(got.status, status);
      assert.equal(got.headers['content-type'] === 'application/problem+json' ? 'problem' : got.text, answer);
    });

test('D78 – a body that comes in pieces, and a stage that reads it later → the host gets the whole', async (t) => {
  const read = gate();
  const stage: Stage = async (context, next) => {
    await read.passed;
    await context.body();
    return next(context);
  };
  const port = await serveListener(t, around(listener(composed(stage))));
  const client = new Client(port);
  await client.send('POST /theirs HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nfirst');
  read.open();
  await client.send('-last');
  assert.equal((await client.answer()).text, 'host POST /theirs first-last');
});

test('D78 – HEAD that falls through → the host answers it', async (t) => {
  const port = await serveListener(t, around(listener(composed())));
  assert.equal((await ask(port, { method: 'HEAD', target: '/theirs' })).status, 200);
});

test('D78 – "unanswered" of the application → answers; where it calls that of the library, the host does', async (t) => {
  const own = (context: Context) =>
    context.path.startsWith('/own') ? text('own', { status: 404 }) : (unanswered(context) as ReturnType<typeof text>);
  const port = await serveListener(t, around(listener(composed(undefined, own))));
  assert.equal((await ask(port, { target: '/own/x' })).text, 'own');
  assert.equal((await ask(port, { target: '/theirs' })).text, 'host GET /theirs');
});

for (const [path, status] of [
  ['/tools/%zz', 400],
  ['/%zz', 200],
  ['/toolsmith/%zz', 200],
] as const)
  test(`D78 – ${path}, which cannot be decoded, base path /tools → ${status}`, async (t) => {
    const handler = pipeline([problems()]);
    const port = await serveListener(t, around(listener({ handler, basePath: '/tools' })));
    assert.equal((await ask(port, { target: path })).status, status);
  });

test('D78 – without a next → the 404 of the library', async (t) => {
  const port = await serveListener(t, (request, response) => listener(composed())(request, response));
  const { status, headers } = await ask(port, { target: '/theirs' });
  assert.deepEqual([status, headers['content-type']], [404, 'application/problem+json']);
});

test('D78 – two listeners, pipelined requests, the first of which waits → each listener answers its requests, in order', async (t) => {
  const waits = gate();
  const ran: string[] = [];
  const answering = (name: string, first?: Promise<void>) =>
    listener(async ({ path }) => {
      ran.push(name + path);
      if (path === '/a1') await first;
      return text(name + path);
    });
  const [a, b] = [answering('A', waits.passed), answering('B')];
  const port = await serveListener(t, (request, response) =>
    (request.url!.startsWith('/a') ? a : b)(request, response),
  );
  const client = new Client(port);
  const paths = ['/a1', '/b1', '/a2', '/b2'];
  await client.send(paths.map((target) => ({ target })));
  waits.open();
  const answers = [];
  for (const _ of paths) answers.push((await client.answer()).text);
  assert.deepEqual(answers, ['A/a1', 'B/b1', 'A/a2', 'B/b2']);
  assert.deepEqual(ran, answers);
  assert.equal((await client.ask({ target: '/b3' })).text, 'B/b3');
});

test('D78 – two listeners one behind the other, pipelined requests → each application answers its own', async (t) => {
  const answering =
    (name: string): Stage =>
    async (context, next) => {
      await Promise.resolve();
      return context.path.startsWith(`/${name}`) ? text(name + context.path) : next(context);
    };
  const [a, b] = [listener(pipeline([answering('a')])), listener(pipeline([answering('b')]))];
  const port = await serveListener(t, (request, response) =>
    a(request, response, () => b(request, response, () => void answerAsHost(request, response))),
  );
  const client = new Client(port);
  const paths = ['/b1', '/c1', '/a1', '/b2', '/a2', '/c2', '/b3'];
  await client.send(paths.map((target) => ({ target })));
  const answers = [];
  for (const _ of paths) answers.push((await client.answer()).text);
  assert.deepEqual(answers, ['b/b1', 'host GET /c1', 'a/a1', 'b/b2', 'a/a2', 'host GET /c2', 'b/b3']);
});

test('D78 – a large reply on a server of a host with a time for idle connections → the connection is closed then', async (t) => {
  const body = Buffer.alloc(32 * 64 * 1024);
  const listen = listener(() => ({ status: 200, headers: {}, body }));
  const client = new Client(await serveListener(t, listen, { keepAliveTimeout: 50 }));
  assert.equal((await client.ask({})).body.length, 32 * 64 * 1024);
  await client.over();
});

const TOUCHED: readonly (readonly [what: string, touch: (response: ServerResponse) => void, line: string])[] = [
  ['has set a header', (response) => void response.setHeader('X-Powered-By', 'Express'), 'x-powered-by: Express'],
  [
    'has replaced writeHead',
    (response) => {
      const writeHead = response.writeHead.bind(response) as (...words: unknown[]) => ServerResponse;
      Object.assign(response, {
        writeHead: (...words: unknown[]) => {
          response.setHeader('X-Late', 'yes');
          return writeHead(...words);
        },
      });
    },
    'x-late: yes',
  ],
];
for (const [what, touch, line] of TOUCHED)
  test(`D78 – middleware of the host ${what} → the reply has the header of the host and its own`, async (t) => {
    const listen = listener(() => text('mine', { headers: { 'X-A': 'a' } }));
    const port = await serveListener(t, (request, response) => {
      touch(response);
      listen(request, response);
    });
    const { status, headers, text: body } = await ask(port, {});
    assert.deepEqual([status, headers['x-a'], headers['x-content-type-options'], body], [200, 'a', 'nosniff', 'mine']);
    const [name, value] = line.split(': ') as [string, string];
    assert.equal(headers[name], value);
  });
