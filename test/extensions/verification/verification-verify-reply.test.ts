import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemReply } from '../../../src/core/message/problem.ts';
import { empty, json, text, withHeaders } from '../../../src/core/message/replies.ts';
import type { Reply } from '../../../src/core/message/reply.ts';
import { ok } from '../../../src/core/operations/operation/answers.ts';
import { type Controller, operationOf } from '../../../src/core/operations/operation/controller.ts';
import { operation } from '../../../src/core/operations/operation/operation.ts';
import { routesOf } from '../../../src/core/operations/routes/operation-routes.ts';
import type { PropertyNaming } from '../../../src/core/operations/schema/names.ts';
import { schema } from '../../../src/core/operations/schema/schema.ts';
import { verifyProblem, verifyReply } from '../../../src/extensions/verification/verification.ts';

const Item = schema('Item', {
  type: 'object',
  required: ['key'],
  properties: { key: { type: 'string' }, note: { type: 'string', 'x-nullable': true } },
});
const declared = operation({
  method: 'GET',
  path: '{id}',
  produces: ['application/json', 'text/json'],
  responses: {
    200: {
      schema: { type: 'array', items: Item },
      headers: {
        ETag: { type: 'string', description: 'The state', always: true },
        Allow: { type: 'string', description: 'Sent at times' },
      },
    },
    204: {},
    304: {},
    404: {},
  },
  handle: () => ok([]),
});
const controller: Controller = { name: 'Item', path: 'api', operations: [declared] };
const routed = operationOf(routesOf(controller)[0]!)!;

const list = (value: unknown, headers: Readonly<Record<string, string>> = { ETag: '"1"' }): Reply =>
  json(value, { headers });
const problem = (status: number): Reply =>
  problemReply({ path: '/api/x', basePath: '', requestId: 'r' }, status, 'No item');
const bytes = (reply: Reply): Reply => ({ ...reply, body: Buffer.from(reply.body as string) });

const CASES: readonly (readonly [what: string, reply: Reply, failure?: string | undefined, naming?: PropertyNaming])[] =
  [
    ['the list as declared', list([{ key: 'k', note: null }, { key: 'ö' }])],
    ['the list in bytes', bytes(list([{ key: 'ö' }]))],
    ['another declared media type', withHeaders(list([]), { 'Content-Type': 'text/json; charset=utf-8' })],
    ['names in PascalCase', list([{ Key: 'k' }]), undefined, 'PascalCase'],
    ['a declared problem', problem(404)],
    ['204 without a body', empty()],
    ['an undeclared status', problem(409), 'it declares no 409, only 200, 204, 304, 404'],
    [
      'a media type that is not produced',
      withHeaders(list([]), { 'Content-Type': 'text/plain; charset=utf-8' }),
      'its media type is text/plain; charset=utf-8, not application/json or text/json; charset=utf-8',
    ],
    [
      'text without its charset (D8)',
      withHeaders(list([]), { 'Content-Type': 'text/json' }),
      'its media type is text/json, not application/json or text/json; charset=utf-8',
    ],
    ['a missing header', list([], {}), 'the header ETag is missing'],
    ['a header that may be absent, sent', list([], { ETag: '"1"', Allow: 'GET' })],
    ['a header that is always sent, in another casing', list([], { etag: '"1"' })],
    ...['Location', 'Accept', 'Accept-Encoding', 'Accept-Patch', 'WWW-Authenticate', 'Retry-After'].map(
      (name) =>
        [
          `an undeclared ${name}`,
          list([], { ETag: '"1"', [name]: 'x' }),
          `the header ${name} is not declared`,
        ] as const,
    ),
    [
      'an undeclared header of a declared problem',
      withHeaders(problem(404), { 'Retry-After': '1' }),
      'the header Retry-After is not declared',
    ],
    [
      'an undeclared header that a client acts upon',
      list([], { ETag: '"1"', Location: '/x' }),
      'the header Location is not declared',
    ],
    ['a wrong type', list([{ key: 1 }]), '"/0/key" is not a string'],
    ['a wrong type in bytes', bytes(list([{ key: 1 }])), '"/0/key" is not a string'],
    ['a missing member', list([{ note: 'n' }]), '"/0/key" is required and missing'],
    ['an undescribed member', list([{ key: 'k', more: 1 }]), '"/0/more" is not described'],
    ['a member in another casing', list([{ key: 'k', Note: 'n' }]), '"/0/Note" is not described'],
    [
      'no JSON',
      withHeaders(text('oops', { headers: { ETag: '"1"' } }), { 'Content-Type': 'application/json' }),
      'its body is not JSON',
    ],
    [
      'a wrong length',
      { ...list([]), headers: ['Content-Type', 'application/json', 'ETag', '"1"', 'Content-Length', '5'] },
      'its Content-Length is 5, its body has 2 bytes',
    ],
    [
      'a 204 with a body',
      { ...json({}), status: 204 },
      'it has a body; it has a Content-Type; it has a Content-Length',
    ],
    [
      'an error that is no problem',
      text('gone', { status: 404 }),
      'its media type is text/plain; charset=utf-8, not application/problem+json',
    ],
  ];

for (const [what, reply, failure, naming = 'camelCase'] of CASES) {
  test(`D14 – ${what} → ${failure ?? 'nothing to say'}`, () => {
    const verify = (): void => verifyReply(routed, reply, naming);
    if (failure === undefined) verify();
    else
      assert.throws(verify, {
        message: `The operation "ApiByIdGet" answers ${reply.status} otherwise than it declares: ${failure}`,
      });
  });
}

test('D10 – an error that no operation declares is a problem with every member', () => {
  verifyProblem(problem(431));
  const partial = json(
    { type: 'about:blank', title: 'Not Found', status: 404, detail: 'd' },
    { status: 404, headers: { 'Content-Type': 'application/problem+json' } },
  );
  assert.throws(
    () => verifyProblem(withHeaders(partial, { 'Content-Type': 'application/problem+json' })),
    /"\/instance" is required and missing; "\/requestId"/,
  );
  assert.throws(
    () => verifyProblem({ ...problem(404), status: 410 }),
    /its member status is 404; its title is "Not Found"/,
  );
});
