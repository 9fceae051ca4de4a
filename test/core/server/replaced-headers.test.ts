/** What reads a header of the request reads the text that a stage has put in its place with `contextWith` (D46). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { contextWith } from '../../../src/core/http/context-with.ts';
import { text } from '../../../src/core/http/replies.ts';
import { traceOf } from '../../../src/core/http/request-notes.ts';
import { route } from '../../../src/core/routing/route.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { operation } from '../../../src/operations/routes/operation-routes.ts';
import { file } from '../../../src/plugins/files/files.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { apiKeys, authentication, bearerTokens } from '../../../src/shelf/authentication/authentication.ts';
import { compression } from '../../../src/shelf/compression/compression.ts';
import { cors } from '../../../src/shelf/cors/cors.ts';
import { events } from '../../../src/shelf/events/events.ts';
import { traceContext } from '../../../src/shelf/logs/logs.ts';
import { type Answer, ask } from '../../support/ask.ts';
import { servePlugins } from '../../support/serve.ts';

const names = { a: { identity: 'Ann' }, b: { identity: 'Bob' } };
const [tokens, keys] = [bearerTokens(names), apiKeys(names)];
const get = { method: 'GET', responses: { 200: { schema: { type: 'string' } } } } as const;
const readsBody = { ...get, path: 'body', body: { type: 'string' } } as const;
const READERS: readonly Plugin[] = [
  traceContext(),
  cors({ origins: ['https://a.example', 'https://b.example'] }),
  compression({ threshold: 1 }),
  authentication(tokens, keys),
  todo(),
  {
    name: 'readers',
    routes: [
      operation({
        ...get,
        path: 'text',
        headers: { 'X-Tenant': { type: 'string' }, Cookie: { type: 'string' } },
        writers: { 'text/csv': String },
        handle: ({ headers }) => ok(headers.Cookie ?? headers['X-Tenant'] ?? 'none'),
      }),
      operation({
        ...get,
        path: 'list',
        headers: { 'X-Parts': { type: 'array', items: { type: 'string' } } },
        handle: ({ headers }) => ok(String(headers['X-Parts']?.join('+'))),
      }),
      operation({ ...get, path: 'token', security: [tokens], handle: ({ identity }) => ok(identity) }),
      operation({ ...get, path: 'key', security: [keys], handle: ({ identity }) => ok(identity) }),
      operation({ ...readsBody, method: 'POST', handle: ({ body }) => ok(body) }),
      operation({ ...readsBody, method: 'PUT', handle: ({ body }) => ok(body) }),
      operation({ ...get, path: 'trace', handle: ({ context }) => ok(String(traceOf(context)?.spanId[0])) }),
      route({ path: 'long', handle: () => text('a'.repeat(999)) }),
      route({ path: 'file', handle: ({ context }) => file(context, new URL(import.meta.url)) }),
      route({
        path: 'events',
        handle: ({ context }) =>
          events(context, async function* ({ lastEventId }) {
            yield String(lastEventId);
          }),
      }),
    ],
  },
];

const seen = ({ status, text, headers }: Answer, view: string) =>
  view === 'status' ? status : view === 'text' ? text : headers[view];
const span = (digit: string) => `00-${'a'.repeat(32)}-${digit.repeat(16)}-01`;

/** The text in place of a header is undefined if the stage removes the header. */
for (const [reader, request, header, sent, instead, view, before, after] of [
  ['a parameter', 'GET /text', 'X-Tenant', 'a', 'b', 'text', '"a"', '"b"'],
  ['an absent parameter', 'GET /text', 'X-Tenant', [], '', 'text', '"none"', '""'],
  ['a parameter in two lines', 'GET /text', 'X-Tenant', ['a', 'b'], 'c', 'status', 400, 200],
  ['a parameter in two lines, the first', 'GET /text', 'X-Tenant', ['a', 'b'], 'a', 'status', 400, 200],
  ['a list in two lines', 'GET /list', 'X-Parts', ['a', 'b'], 'c,d', 'text', '"a+b"', '"c+d"'],
  ['cookies in two lines', 'GET /text', 'Cookie', ['a=1', 'b=2'], 'c=3', 'text', '"a=1; b=2"', '"c=3"'],
  ['a token', 'GET /token', 'Authorization', 'Bearer a', 'Bearer b', 'text', '"Ann"', '"Bob"'],
  ['no token', 'GET /token', 'Authorization', 'Bearer a', undefined, 'status', 200, 401],
  ['a token in two lines', 'GET /token', 'Authorization', ['Bearer a', 'x'], 'Bearer b', 'status', 401, 200],
  ['a token in two lines, the first', 'GET /token', 'Authorization', ['Bearer a', 'x'], 'Bearer a', 'status', 401, 200],
  ['a key in two lines', 'GET /key', 'X-API-Key', ['a', 'x'], 'b', 'status', 401, 200],
  ['a key in two lines, the first', 'GET /key', 'X-API-Key', ['a', 'x'], 'a', 'status', 401, 200],
  [
    'media types in two lines',
    'GET /text',
    'Accept',
    ['text/csv', 'a/b'],
    'application/json',
    'text',
    'none',
    '"none"',
  ],
  ['codings', 'GET /long', 'Accept-Encoding', ['gzip', 'x'], 'br', 'content-encoding', 'gzip', 'br'],
  ['a condition in two lines', 'GET /api/todo', 'If-None-Match', ['"x"', '"y"'], '*', 'status', 200, 304],
  ['a precondition', 'GET /api/todo', 'If-Match', '*', '"x"', 'status', 200, 412],
  ['a range', 'GET /file', 'Range', 'bytes=0-3', 'bytes=0-0', 'content-length', '4', '1'],
  ['no range', 'GET /file', 'Range', 'bytes=0-3', undefined, 'status', 206, 200],
  ['the type of a body', 'POST /body', 'Content-Type', 'text/plain', 'application/json', 'status', 415, 200],
  ['no part of a body', 'PUT /body', 'Content-Range', 'bytes 0-2/9', undefined, 'status', 400, 200],
  [
    ...['an origin', 'GET /text', 'Origin', 'https://a.example', 'https://b.example', 'access-control-allow-origin'],
    ...['https://a.example', 'https://b.example'],
  ],
  ['the last event', 'GET /events', 'Last-Event-ID', 'a', 'b', 'text', ':\n\ndata: a\n\n', ':\n\ndata: b\n\n'],
  ['a trace', 'GET /trace', 'traceparent', span('1'), span('2'), 'text', '"1"', '"2"'],
] as [string, string, string, string | string[], string | undefined, string, unknown, unknown][])
  test(`D46 – a stage replaces ${header}: ${reader} → is read from the text of the stage`, async (t) => {
    const [method, target] = request.split(' ') as [string, string];
    const type = { 'Content-Type': 'application/json' };
    const question = { method, target, headers: { ...type, [header]: sent }, ...(method !== 'GET' && { body: '"a"' }) };
    const replaces: Plugin = {
      name: 'replaces',
      outerStages: [
        (context, next) => {
          const { [header.toLowerCase()]: _, ...others } = context.headers;
          const headers = instead === undefined ? others : { ...others, [header.toLowerCase()]: instead };
          return next(contextWith(context, { headers }));
        },
      ],
    };
    const unchanged = await ask((await servePlugins(t, READERS)).port, question);
    const replaced = await ask((await servePlugins(t, [replaces, ...READERS])).port, question);
    assert.deepEqual([seen(unchanged, view), seen(replaced, view)], [before, after]);
  });
