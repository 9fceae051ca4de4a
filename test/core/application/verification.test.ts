/** `verification()` finds replies that differ from their declaration (D14). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeReply } from '../../../src/extending.ts';
import {
  application,
  type Context,
  empty,
  HttpProblem,
  json,
  operations,
  type PropertyNaming,
  problemReply,
  type Reply,
  type Stage,
  schema,
  text,
  withHeaders,
} from '../../../src/index.ts';
import { verification } from '../../../src/testing.ts';
import { controlled, read } from '../../support/plain-routes.ts';
import { throwing } from '../../support/throwing.ts';

const Item = schema('Item', {
  type: 'object',
  required: ['key'],
  properties: { key: { type: 'string' }, note: { type: 'string', 'x-nullable': true, maxLength: 3 } },
});
const TAG = { ETag: '"1"' };
const list = (value: unknown, headers: Readonly<Record<string, string>> = TAG): Reply => json(value, { headers });
const compressed = (reply: Reply): Reply =>
  makeReply(reply.status, { 'Content-Type': 'application/problem+json', 'Content-Encoding': 'br' }, new Uint8Array(9));
const inBytes = (reply: Reply): Reply => makeReply(reply.status, reply.headers, Buffer.from(reply.body as string));

/** Returns the status of an operation whose handler returns this reply, and the log. */
async function asked(reply: (context: Context) => Reply, options: { readonly naming?: PropertyNaming } = {}) {
  const operation = read('', {
    produces: ['application/json', 'text/json'],
    responses: {
      200: {
        schema: { type: 'array', items: Item },
        headers: {
          ETag: { type: 'string', description: 'The state', always: true },
          Allow: { type: 'string', description: 'The methods' },
          'X-Left': { type: 'integer', description: 'How many are left' },
        },
      },
      204: {},
      404: {},
    },
    // A handler with such a reply fails earlier. A stage may answer anything.
    stages: [(context: Context) => reply(context)],
  });
  const logged: string[] = [];
  const log = (error: unknown): void => void logged.push(String(error));
  const plugins = [operations(options), verification(), controlled('Items', 'items', operation)];
  const app = application(plugins, { log });
  await app.start();
  return { status: (await app.request('/items')).status, logged: logged.join('\n') };
}

const thrown = (status: number) => throwing(new HttpProblem(status, 'No item'));
const RIGHT: readonly (readonly [
  what: string,
  reply: (context: Context) => Reply,
  status: number,
  naming?: PropertyNaming,
])[] = [
  ['the list as declared', () => list([{ key: 'k', note: null }, { key: 'ö' }]), 200],
  ['the list in chunks', () => inBytes(list([{ key: 'ö' }])), 200],
  ['another declared media type', () => withHeaders(list([]), { 'Content-Type': 'text/json; charset=utf-8' }), 200],
  ['names in PascalCase', () => list([{ Key: 'k' }]), 200, 'PascalCase'],
  ['a header that may be absent, sent', () => list([], { ...TAG, Allow: 'GET' }), 200],
  ['204 without a body', () => empty(), 204],
  [
    'a declared problem with a further member',
    (context) => problemReply(context, 404, 'No item', { by: { id: 7 } }),
    404,
  ],
  ['a declared problem that is thrown', thrown(404), 404],
  ['an undeclared failure, which any operation may have', thrown(503), 503],
];
for (const [what, reply, status, naming = 'camelCase'] of RIGHT)
  test(`verification – ${what} → the reply is sent`, async () => {
    assert.deepEqual(await asked(reply, { naming }), { status, logged: '' });
  });

const WRONG: readonly (readonly [what: string, reply: (context: Context) => Reply, says: string])[] = [
  ['an undeclared status', (context) => problemReply(context, 409, 'Taken'), 'it declares no 409, only 200, 204, 404'],
  ['an undeclared status that is thrown', thrown(410), 'it declares no 410, only 200, 204, 404'],
  [
    'a media type that is not produced',
    () => text('[]', { headers: TAG }),
    'its media type is text/plain; charset=utf-8, not application/json or text/json; charset=utf-8',
  ],
  ['a missing header', () => list([], {}), 'the header ETag is missing'],
  ['an undeclared header', () => list([], { ...TAG, Location: '/x' }), 'the header Location is not declared'],
  ['a header of another type', () => list([], { ...TAG, 'X-Left': 'two' }), 'the header X-Left is wrong'],
  ['a wrong type', () => list([{ key: 1 }]), '"/0/key": Expected a string'],
  ['a wrong type in chunks', () => inBytes(list([{ key: 1 }])), '"/0/key": Expected a string'],
  ['a text that is too long', () => list([{ key: 'k', note: 'long' }]), '"/0/note": Expected 3'],
  ['a missing member', () => list([{ note: 'n' }]), '"/0/key": This member is required'],
  ['an undescribed member', () => list([{ key: 'k', more: 1 }]), '"/0/more": This member is not allowed here'],
  [
    'no JSON',
    () => withHeaders(text('oops', { headers: TAG }), { 'Content-Type': 'application/json' }),
    'its body is not JSON',
  ],
  ['an error that is not a problem', () => text('gone', { status: 404 }), 'not application/problem+json'],
];
for (const [what, reply, says] of WRONG)
  test(`verification – ${what} → 500, and the log has the difference`, async () => {
    const { status, logged } = await asked(reply);
    assert.equal(status, 500);
    assert.match(logged, /^Error: The operation "ItemsGet" answers \d{3} otherwise than it declares: /);
    assert.ok(logged.includes(says), logged);
  });

/** A stage of a later plugin makes a reply of the error of an operation that declares 204 and 404. */
for (const [what, error, made, status, says] of [
  ['a declared problem', new RangeError('none'), (context) => problemReply(context, 404, 'None'), 404],
  ['an undeclared problem', new RangeError('taken'), (context) => problemReply(context, 409, 'Taken'), 500, 'no 409'],
  ['a success with a body', new RangeError('none'), () => text('', { status: 200 }), 500, 'no 200'],
  ['an error in another format', new RangeError('none'), () => json({}, { status: 404 }), 500, 'media type'],
  ['a failure', new RangeError('none'), () => text('Later', { status: 503 }), 503],
  ['a compressed problem', new RangeError('none'), (context) => compressed(problemReply(context, 404, 'None')), 404],
  ['another problem', new HttpProblem(404, 'None'), (context) => problemReply(context, 410, 'Gone'), 500, 'no 410'],
  ['a declared problem of another', new HttpProblem(404, 'None'), () => empty(), 204],
  ['nothing', new HttpProblem(404, 'None'), undefined, 404],
  ['nothing of a bug', new RangeError('none'), undefined, 500, 'RangeError: none'],
] as [string, Error, ((context: Context) => Reply) | undefined, number, string?][])
  test(`verification – a stage makes ${what} of an error → ${status}`, async () => {
    const logged: string[] = [];
    const mapping: Stage = async (context, next) => {
      try {
        return await next(context);
      } catch (caught) {
        assert.equal(caught, error);
        if (made === undefined) throw caught;
        return made(context);
      }
    };
    const operation = read('', { responses: { 204: {}, 404: {} }, handle: throwing(error) });
    const plugins = [verification(), { name: 'mapping', stages: [mapping] }, controlled('Items', 'items', operation)];
    const app = application(plugins, { log: (thrown) => void logged.push(String(thrown)) });
    assert.equal((await app.request('/items')).status, status);
    assert.equal(logged.length, says === undefined ? 0 : 1, logged.join('\n'));
    if (says !== undefined) assert.ok(logged[0]!.includes(says), logged[0]);
  });
