/** Tests that a recorder does not change the replies of an application, and that its recordings are correct. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticators } from '../../../src/extending.ts';
import {
  application,
  contextWith,
  HttpProblem,
  mounted,
  ok,
  operation,
  type Plugin,
  route,
  routesOf,
  type Stage,
  text,
  withHeaders,
} from '../../../src/index.ts';
import { bytes } from '../../../src/operations/uploads/upload.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { Recorder } from '../../../src/plugins/trace/recorder.ts';
import type { Recording } from '../../../src/plugins/trace/recording.ts';
import { bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { type Asked, answerOf } from '../../support/answer-of.ts';
import { plain } from '../../support/plain-routes.ts';
import { throwing } from '../../support/throwing.ts';
import { readRecording } from './read-recording.ts';

const marked: Stage = async function marked(context, next) {
  return withHeaders(await next(context), { 'X-Marked': 'yes' });
};

const ignores: Stage = (context, next) => (next(undefined as never), text(context.path));

function tellThis(this: unknown) {
  return text(typeof this);
}

const many: Plugin = {
  name: 'many',
  outerStages: [marked],
  stages: [
    function many(context, next) {
      if (context.path === '/broken') return undefined as never;
      if (context.path === '/none') return next(undefined as never);
      if (context.path === '/violations')
        throw new HttpProblem(422, 'bad', { errors: { name: ['is required'] } as never });
      if (context.path === '/null-violation') throw new HttpProblem(422, 'bad', { errors: [null] as never });
      if (context.path === '/bigint') return { status: 200n, headers: [] } as never;
      if (context.path === '/number') return 42 as never;
      if (context.path === '/odd') return { status: 200, headers: [1, 2, 3] } as never;
      if (context.path === '/empty') return { status: 200 } as never;
      if (context.path === '/unreadable')
        return Object.defineProperty({}, 'status', { enumerable: true, get: throwing(new Error('no')) }) as never;
      if (context.path === '/bigints') {
        const { method, query, request } = context;
        return next({ method, path: '/plain', headers: { a: 1n }, query, segments: [], request } as never);
      }
      if (context.path === '/twice') return marked(context, async (again) => (await next(again), next(again)));
      if (context.path === '/reads') return context.body().then((read) => text(`${read.length}`));
      if (context.path === '/old') return next(contextWith(context, { path: '/plain', method: 'GET' }));
      return next(context);
    },
  ],
  offers: [authenticators.of([bearerTokens({ 'a-long-token': { identity: 'Ada' } })])],
  routes: [
    ...routesOf({
      name: 'Files',
      path: 'files',
      stages: [marked],
      operations: [
        operation({
          method: 'PUT',
          path: '{name}',
          body: bytes({ mediaTypes: ['text/plain'] }),
          stages: [(context, next) => next(context)],
          responses: { 200: { schema: { type: 'integer' } } },
          handle: ({ body }) => ok(body.length),
        }),
        operation({
          method: 'GET',
          path: 'me',
          security: [bearerTokens({ 'a-long-token': { identity: 'Ada' } }).scheme],
          responses: { 200: { schema: { type: 'string' } } },
          handle: () => ok('Ada, with a-long-token'),
        }),
      ],
    }),
    route({ path: 'self/this', handle: tellThis }),
    plain('plain'),
    plain('ignores', { stages: [ignores] }),
    route({ path: 'wrong', handle: () => ({ status: 200, headers: {}, body: 42 }) as never }),
    route({ path: 'thrown', handle: throwing('a text') }),
  ],
};

const sent = (method: string, path: string, type: string, body: string): Asked => {
  return { method, path, body, headers: { 'Content-Type': type } };
};
const GETS =
  '/api/todo /api/todo/x /files/me /plain /ignores /self/this /wrong /thrown /broken /violations /null-violation /bigint ' +
  '/none /number /odd /empty /unreadable /twice /bigints /tools/plain /%zz /nowhere';
const PUT = sent('PUT', '/files/a', 'text/plain', 'four');
const READS: Asked = { path: '/reads', method: 'POST', body: 'five!' };
const REQUESTS: readonly Asked[] = [
  ...GETS.split(' ').map((path) => ({ path })),
  sent('POST', '/api/todo', 'application/json', '{"name":"a"}'),
  sent('POST', '/api/todo', 'application/json', '{'),
  PUT,
  sent('PUT', '/files/a', 'text/html', 'four'),
  READS,
  { path: '/files/me', headers: { Authorization: 'Bearer a-long-token' } },
  { path: '/old', method: 'POST' },
  { path: '/plain', method: 'HEAD' },
];

const composed = (...watching: readonly Plugin[]) => {
  const tools = mounted('tools', { name: 'mine', stages: [marked], routes: many.routes! });
  return application([...watching, todo(), many, tools], { log: () => {}, newRequestId: () => 'fixed-id' });
};

const recorded: Recording[] = [];
let ended = (): void => {};
let recorder!: Recorder;
const watched = composed({
  name: 'recorder',
  parts({ routes }) {
    recorder = new Recorder('recorder', routes, (recording) => {
      recorded.push(recording);
      ended();
    });
    return recorder.parts;
  },
});
await watched.start();
const unwatched = composed();

/** A connection in memory that closes with the reply may close before the reply counts as sent. */
const lasting = (request: Asked): Asked => ({ ...request, headers: { Connection: 'keep-alive', ...request.headers } });

async function recordingOf(request: Asked): Promise<{ reply: unknown; recording: Recording }> {
  const end = new Promise<void>((resolve) => (ended = resolve));
  const { status, headers, body } = await answerOf(watched, lasting(request));
  await end;
  return { reply: comparable(status, headers, body), recording: recorded.at(-1)! };
}

/** Keys of items and tags differ from one store to another. */
const comparable = (status: number, { date, etag, ...headers }: Record<string, unknown>, body: string) =>
  JSON.stringify([status, typeof etag, headers, body]).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'KEY');

for (const request of REQUESTS) {
  test(`trace – ${request.method ?? 'GET'} ${request.path} → the same reply with a recorder as without`, async () => {
    const { reply, recording } = await recordingOf(request);
    const { status, headers, body } = await answerOf(unwatched, lasting(request));
    assert.equal(reply, comparable(status, headers, body));
    assert.equal(recording.status, status);
    assert.equal(recording.complete, true);
    const written = JSON.stringify({ recording });
    assert.deepEqual(await readRecording(written), JSON.parse(written), 'what the page saves, it opens');
  });
}

test('trace – a body that is read → shown with the request, without the members whose names are secret', async () => {
  const body = '{"name":"a","password":"very-private"}';
  const { recording } = await recordingOf(sent('POST', '/api/todo', 'application/json', body));
  assert.deepEqual(recording.body, { kind: 'text', bytes: 38, text: '{"name":"a","password":"(hidden)"}' });
  const { recording: without } = await recordingOf({ path: '/api/todo' });
  assert.deepEqual(without.body, { kind: 'none' });
});
