import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { noContent } from '../../../src/core/operations/operation/answers.ts';
import { operation } from '../../../src/core/operations/operation/operation.ts';
import { routesOf } from '../../../src/core/operations/routes/operation-routes.ts';
import { securityScheme } from '../../../src/core/operations/security.ts';

const scheme = securityScheme('Key', { type: 'apiKey', in: 'header', name: 'X-Key' });

for (const [clause, security, fault] of [
  ['a scheme without its list', scheme, /: its security is no list; give \[scheme, …\]/],
  ['an empty text, which is no "everyone"', '', /: its security is no list/],
  ['false', false, /: its security is no list/],
  ['an entry that is undefined', [undefined], /: its security\[0\] is no scheme; give securityScheme/],
  ['the name of a scheme', [scheme, 'Key'], /: its security\[1\] is no scheme/],
  ['a requirement of a name', [{ scheme: 'Key' }], /: its security\[0\] is no scheme/],
  [
    'roles beside a name',
    [{ ...scheme, roles: ['admin'] }],
    /: its security\[0\] has the member "roles"; give a scheme/,
  ],
  ['role for roles', [{ scheme, role: ['admin'] }], /: its security\[0\] has the member "role"; give a scheme/],
  ['one role as a text', [{ scheme, roles: 'admin' }], /: the roles of its security\[0\] are no list of texts; give/],
  ['roles that are null', [{ scheme, roles: null }], /: the roles of its security\[0\] are no list of texts/],
  ['a role that is no text', [{ scheme, roles: [1] }], /: the roles of its security\[0\] are no list of texts/],
] as const) {
  const refusal = (subject: string) => ({
    name: 'TypeError',
    message: new RegExp(`^Cannot protect ${subject}${fault.source}`),
  });
  const get = { method: 'GET', path: '', responses: { 204: {} }, handle: () => noContent() } as const;

  test(`D71 ${clause} as security of an operation → a TypeError that names the operation`, () => {
    const controller = { name: 'A', path: 'a', operations: [operation({ ...get, security: security as never })] };
    assert.throws(() => routesOf(controller), refusal('the operation "AGet"'));
  });

  test(`D71 ${clause} as security of a controller → a TypeError that names the operation`, () => {
    const controller = { name: 'A', path: 'a', security: security as never, operations: [operation(get)] };
    assert.throws(() => routesOf(controller), refusal('the operation "AGet"'));
  });

  test(`D71 ${clause} as security of the application → a TypeError`, () =>
    assert.throws(() => application([], { security: security as never }), refusal('the application')));
}
