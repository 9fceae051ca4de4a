import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noContent } from '../../src/operations/operation/answers.ts';
import { operations } from '../../src/operations/operations.ts';
import { operation, routesOf } from '../../src/operations/routes/operation-routes.ts';
import { securityScheme } from '../../src/operations/security.ts';
import { composedRoutes } from '../support/composed-routes.ts';

const scheme = securityScheme('Key', { type: 'apiKey', in: 'header', name: 'X-Key' });

for (const [clause, security, fault] of [
  ['a scheme without its list', scheme, /: its security is no list; give \[scheme, …\]/],
  ['an empty text, which is no "everyone"', '', /: its security is no list/],
  ['false', false, /: its security is no list/],
  ['an entry that is undefined', [undefined], /: its security\[0\] is no scheme; give securityScheme/],
  ['the name of a scheme', [scheme, 'Key'], /: its security\[1\] is no scheme/],
  ['a requirement of a name', [{ scheme: 'Key' }], /: its security\[0\] is no scheme/],
  [
    'an authenticator that is not its scheme too',
    [{ scheme: { scheme, challenge: () => 'Key', authenticate: () => ({ found: 'none' }) }, roles: [] }],
    /: the scheme of its security\[0\] is an authenticator without .*; make it \{ \.\.\.scheme, scheme, challenge, auth/,
  ],
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
  const refusal = (subject: string) => new RegExp(`Cannot protect ${subject}${fault.source}`);
  const get = { method: 'GET', path: '', responses: { 204: {} }, handle: () => noContent() } as const;

  test(`D71 ${clause} as security of an operation → refused, the operation is named`, () => {
    const guarded = operation({ ...get, path: 'a', security: security as never });
    assert.throws(() => composedRoutes([guarded]), refusal('the operation "AGet"'));
  });

  test(`D71 ${clause} as security of a controller → refused, the operation is named`, () => {
    const controller = { name: 'A', path: 'a', security: security as never, operations: [operation(get)] };
    assert.throws(() => composedRoutes(routesOf(controller)), refusal('the operation "AGet"'));
  });

  test(`D71 ${clause} as security of all operations → a TypeError`, () =>
    assert.throws(() => operations({ security: security as never }), {
      name: 'TypeError',
      message: refusal('all operations'),
    }));
}
