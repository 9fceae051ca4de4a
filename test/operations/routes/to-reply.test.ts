/** Bodies that an operation reads, log lines of replies that cannot be sent, and handlers without a reply. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpProblem } from '../../../src/core/http/problem.ts';
import { representation } from '../../../src/extending.ts';
import {
  answer,
  application,
  created,
  empty,
  json,
  noContent,
  notFound,
  ok,
  operation,
  type Plugin,
  problem,
  problemReply,
  replyWith,
  route,
  text,
  withHeaders,
} from '../../../src/index.ts';
import { bodyReader } from '../../../src/operations/routes/json-body.ts';
import { serving } from '../../support/serving.ts';
import { testContext } from '../../support/test-context.ts';
import { throwing } from '../../support/throwing.ts';

const PROBLEM = 'application/problem+json';
const CSV = 'text/csv; charset=utf-8';
const NOTE = { type: 'object', properties: { text: { type: 'string' } } } as const;
const answering = (path: string, handle: () => unknown): Plugin => {
  const responses = { 200: { schema: NOTE }, 201: { schema: NOTE } };
  return { name: path, routes: [operation({ method: 'GET', path: `notes/${path}`, responses, handle } as never)] };
};
const routed = (handle: () => unknown): Plugin => ({ name: 'routed', routes: [route({ path: 'r', handle } as never)] });

for (const [what, plugin, path, says] of [
  [
    'a promise as the body',
    answering('late', () => ok(Promise.resolve({ text: 'a' }) as never)),
    '/notes/late',
    /^The operation "NotesLateGet" returned a promise as the body; await it, as in ok\(await …\)$/,
  ],
  [
    'a promise as the body that fails',
    answering('failing', () => ok(Promise.reject(new Error('no')) as never)),
    '/notes/failing',
    /returned a promise as the body; await it/,
  ],
  [
    'a body of another type than its schema',
    answering('five', () => ok({ text: 5 })),
    '/notes/five',
    /^The operation "NotesFiveGet" returned a 200 that does not match its declaration: "\/text": Expected a string, not a number; correct/,
  ],
  [
    'a Location without a route',
    answering('made', () => created({ text: 'a' }, 'nope', {})),
    '/notes/made',
    /^Cannot make the Location of "NotesMadeGet" for \{\}: there is no route named "nope"; give the name of a route/,
  ],
  [
    'a Location without its values',
    {
      name: 'made',
      routes: [
        ...answering('{id}/made', () => created({ text: 'a' }, 'one', {})).routes!,
        route({ path: 'one/{key}', name: 'one', handle: () => ({ status: 200, headers: {} }) }),
      ],
    },
    '/notes/1/made',
    /of "NotesByIdMadeGet" for \{\}: the route "one" has no path for these values: \{key\} has no value; give the values of "one\/\{key\}"$/,
  ],
  [
    'an answer that is thrown',
    answering('thrown', throwing(notFound('no'))),
    '/notes/thrown',
    /^The route "\/notes\/thrown", or a stage, threw a reply with the status 404; return it, or throw new HttpProblem\(404/,
  ],
  [
    'a reply that is thrown, from a route',
    routed(throwing(text('x'))),
    '/r',
    /^The route "\/r", or a stage, threw a reply with the status 200; return it/,
  ],
  [
    'a reply that a stage throws',
    { name: 'throws', stages: [throwing(text('x'))] },
    '/r',
    /^A stage threw a reply with the status 200; return it/,
  ],
] as const)
  test(`plugins – ${what} → 500, the log names the route or stage and the remedy`, async () => {
    const messages: string[] = [];
    const composed = application([plugin], { log: (error) => void messages.push((error as Error).message) });
    assert.equal((await composed.request(path)).status, 500);
    assert.equal(messages.length, 1);
    assert.match(messages[0]!, says);
  });

/** An operation whose handler returns this at once, and one whose handler waits. */
const resulting = (responses: object, result: () => unknown) =>
  serving(
    [result, async () => result()].map((handle, at) =>
      operation({ method: 'GET', path: ['at-once', 'later'][at]!, responses, handle } as never),
    ),
  );
const NUMBERS = { type: 'array', items: { type: 'integer' } } as const;
const RESPONSES = { 200: { schema: NUMBERS }, 202: { schema: NUMBERS }, 204: {}, 404: {}, 409: {} };
for (const [what, result, status, body, headers] of [
  ['a value', () => ok([1]), 200, '[1]', { 'content-type': 'application/json', 'content-length': '3' }],
  ['a cached value', () => ok(representation('[1]', 'v1')), 200, '[1]', { etag: '"v1"', 'content-length': '3' }],
  ['a status alone', () => noContent('"t"'), 204, '', { etag: '"t"', 'content-length': null }],
  ['a problem', () => notFound('none'), 404, /"detail":"none"/, { 'content-type': 'application/problem+json' }],
  [
    'a problem with members and headers',
    () => problem(409, 'Taken', { by: 7, headers: { 'Retry-After': '5' } }),
    409,
    /"by":7/,
    { 'retry-after': '5' },
  ],
  [
    'a problem with a header that was added',
    () => ({ ...notFound('none'), headers: { 'Retry-After': '5' } }),
    404,
    /"detail":"none"/,
    { 'retry-after': '5' },
  ],
  ['a value with another status', () => answer(202, [1], { headers: { 'X-A': 'b' } }), 202, '[1]', { 'x-a': 'b' }],
  ['a spread of a value', () => ({ ...ok([1]), headers: { 'X-A': 'b' } }), 200, '[1]', { 'x-a': 'b' }],
] as const)
  for (const path of ['/at-once', '/later'])
    test(`results – ${what}, ${path} → ${status}`, async () => {
      const reply = await resulting(RESPONSES, result).request(path);
      const text = await reply.text();
      assert.equal(reply.status, status);
      if (typeof body === 'string') assert.equal(text, body);
      else assert.match(text, body);
      for (const [name, value] of Object.entries(headers)) assert.equal(reply.headers.get(name), value, name);
    });

/** Results outside of an operation do not compile, so each is passed as a value of any type. */
for (const [what, result] of [
  ['ok(…)', () => ok({ a: 1 })],
  ['a stored value', () => ok(representation('[1]', 'v1'))],
  ['noContent()', () => noContent('"t"')],
  ['notFound(…)', () => notFound('none')],
  ['problem(…)', () => problem(409, 'Taken')],
  ['created(…)', () => created('x', 'r', {})],
] as const)
  for (const [maker, plugin, subject] of [
    ['route', routed(result), 'The route "r"'],
    ['stage', { name: 'a', stages: [result as never] }, 'Stage 1 of the plugin "a"'],
    ['async stage', { name: 'a', stages: [(async () => result()) as never] }, 'Stage 1 of the plugin "a"'],
  ] as const)
    test(`results – ${maker}: returns ${what} → 500, the log names the ${maker} and the remedy`, async () => {
      const messages: string[] = [];
      const app = application([plugin], { log: (error) => void messages.push((error as Error).message) });
      assert.equal((await app.request('/r')).status, 500);
      const remedy = 'return json(…) or text(…), or throw new HttpProblem(…)';
      assert.deepEqual(messages, [`${subject} returned a result, which only an operation may return; ${remedy}`]);
    });

test('replies – an operation returns a problem that is already written → sent unchanged', async () => {
  const plugin = (handle: (input: { context: never }) => unknown): Plugin => answering('done', handle as never);
  const made = await application([plugin(({ context }) => problemReply(context, 409, 'Taken', { by: 7 }))]).request(
    '/notes/done',
  );
  const { detail, by } = (await made.json()) as Record<string, unknown>;
  assert.deepEqual([made.status, detail, by], [409, 'Taken', 7]);
});

const kept = representation<{ text: string }>('{"text":"a"}', 'v1');
const keptRows = [
  { what: 'first', path: 'plain', request: {}, expected: [200, '"v1"', 'no-cache', 'application/json'] },
  { what: 'again', path: 'plain', request: {}, expected: [200, '"v1"', 'no-cache', 'application/json'] },
  { what: 'its tag', path: 'plain', request: { 'If-None-Match': '"v1"' }, expected: [304, '"v1"', 'no-cache', null] },
  { what: 'another tag', path: 'plain', request: { 'If-Match': '"v0"' }, expected: [412, null, 'no-store', PROBLEM] },
  { what: 'with headers', path: 'own', request: {}, expected: [200, '"v1"', 'max-age=9', 'application/json'] },
  { what: 'of two types', path: 'two', request: {}, expected: [200, '"v1"', 'no-cache', 'application/json'] },
  { what: 'the other', path: 'two', request: { Accept: 'text/csv' }, expected: [200, '"v1:1"', 'no-cache', CSV] },
  {
    what: 'its tag',
    path: 'two',
    request: { Accept: 'text/csv', 'If-None-Match': '"v1:1"' },
    expected: [304, '"v1:1"', 'no-cache', null],
  },
  {
    what: 'the tag of JSON',
    path: 'two',
    request: { Accept: 'text/csv', 'If-None-Match': '"v1"' },
    expected: [200, '"v1:1"', 'no-cache', CSV],
  },
  { what: 'after them', path: 'plain', request: {}, expected: [200, '"v1"', 'no-cache', 'application/json'] },
] as const;
test('replies – one cached value for several operations and requests → each gets the right reply', async () => {
  const get = { method: 'GET', responses: { 200: { schema: NOTE } }, handle: () => ok(kept) } as const;
  const own = () => answer(200, kept, { headers: { 'Cache-Control': 'max-age=9' } });
  const { request } = serving([
    operation({ ...get, path: 'plain' }),
    operation({ ...get, path: 'own', handle: own }),
    operation({ ...get, path: 'two', writers: { 'text/csv': ({ text }) => `${text}\r\n` } }),
  ]);
  for (const { what, path, request: headers, expected } of keptRows) {
    const { status, headers: got } = await request(`/${path}`, { headers });
    const read = [status, got.get('etag'), got.get('cache-control'), got.get('content-type')];
    assert.deepEqual(read, expected, what);
  }
});

test('replies – a reply and its headers → frozen', () => {
  for (const reply of [text('a'), json(null), empty(), withHeaders(text('a'), {}), replyWith(text('a'), {})])
    assert.ok(Object.isFrozen(reply) && Object.isFrozen(reply.headers), String(reply.status));
});

const JSON_TYPE = { 'content-type': 'application/json' };
const readBody = bodyReader({ type: 'object' }, 'camelCase');
const read = (body: string) => readBody(testContext('/', { method: 'POST', headers: JSON_TYPE, body }));

for (const [body, detail, because] of [
  ['{"a":1,}', 'The body is not valid JSON: see character 8', 'the place'],
  ['\ufeff{"a":1,}', 'The body is not valid JSON: see character 8', 'the place behind a byte order mark'],
  ['position 7', 'The body is not valid JSON', 'a body that contains a position'],
  ['x at position 7', 'The body is not valid JSON', 'a body in the words of the message'],
] as const)
  test(`D3 – ${JSON.stringify(body)} → 400, "${detail}" (${because})`, async () => {
    const refused = await read(body).catch((error: unknown) => error);
    assert.ok(refused instanceof HttpProblem);
    assert.deepEqual([refused.status, refused.extra.errors], [400, [{ pointer: '', detail, keyword: 'json' }]]);
  });

test('D3 – a byte order mark → skipped', async () => {
  assert.deepEqual(await read('\ufeff{"a":"\\u00e4é"}'), { a: 'äé' });
});
