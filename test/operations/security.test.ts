/** Valid and invalid schemes and values of `security` (D71). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../src/operations/operations.ts';
import { routesOf } from '../../src/operations/routes/operation-routes.ts';
import { needsOf, securityScheme } from '../../src/operations/security.ts';
import { composedRoutes } from '../support/composed-routes.ts';
import { read } from '../support/plain-routes.ts';

const scheme = securityScheme('Key', { type: 'apiKey', in: 'header', name: 'X-Key' });

test('D71 a scheme, with and without roles → requirements', () =>
  assert.deepEqual(
    [scheme, { scheme, roles: ['admin'] }, { all: [scheme, { scheme }] }, {}].map((way) =>
      needsOf(way).map(({ scheme, roles }) => [scheme.schemeName, ...roles]),
    ),
    [[['Key']], [['Key', 'admin']], [['Key'], ['Key']], []],
  ));

const BASIC = { type: 'http', scheme: 'basic' };
const NAME = { name: 'SyntaxError', message: /^Cannot name a security scheme ".*": use letters/ };
const KIND = { name: 'TypeError', message: /"A": it is neither an apiKey/ };
const ROLES = { name: 'TypeError', message: /"A": its roles are not a list of strings; give/ };
const DESCRIPTION = { name: 'TypeError', message: /"A": its description is not a string; give a string$/ };
for (const [error, schemes] of [
  [NAME, ['a b', '', 5, ['a'], undefined].map((name) => [name, BASIC])],
  [ROLES, ['admin', [1], null].map((roles) => ['A', BASIC, roles])],
  [DESCRIPTION, [5, ['a'], {}, null].map((description) => ['A', { ...BASIC, description }])],
  [
    KIND,
    [
      { type: 'oauth2' },
      { type: 'http', scheme: 'digest' },
      { type: 'apiKey', in: 'cookie', name: 'a b' },
      { type: 'apiKey', in: 'constructor', name: 'a' },
      ...['', 'a b', 'ä', 5, ['a'], null].map((name) => ({ type: 'apiKey', in: 'header', name })),
      ...['', 5, ['a']].map((name) => ({ type: 'apiKey', in: 'query', name })),
    ].map((kind) => ['A', kind]),
  ],
] as const)
  for (const options of schemes)
    test(`D71 the scheme of ${JSON.stringify(options)} → a ${error.name}`, () =>
      assert.throws(() => securityScheme(...(options as Parameters<typeof securityScheme>)), error));

for (const [clause, security, fault] of [
  ['a scheme without its list', scheme, /: its security is not a list; give \[scheme, …\]/],
  ['an empty text, which does not mean "everyone"', '', /: its security is not a list/],
  ['false', false, /: its security is not a list/],
  ['an entry that is undefined', [undefined], /: its security\[0\] is not a scheme; give securityScheme/],
  ['the name of a scheme', [scheme, 'Key'], /: its security\[1\] is not a scheme/],
  ['a requirement of a name', [{ scheme: 'Key' }], /: its security\[0\] is not a scheme/],
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
  [
    'one role as a text',
    [{ scheme, roles: 'admin' }],
    /: the roles of its security\[0\] are not a list of strings; give/,
  ],
  ['roles that are null', [{ scheme, roles: null }], /: the roles of its security\[0\] are not a list of strings/],
  ['a role that is not a text', [{ scheme, roles: [1] }], /: the roles of its security\[0\] are not a list of strings/],
] as const)
  test(`D71 ${clause} as security of an operation, a controller and all operations → throws with the subject`, () => {
    const declared = { security: security as never };
    const ofController = { name: 'A', path: '', operations: [read('a')], ...declared };
    const refusal = (subject: string) => new RegExp(`Cannot protect ${subject}${fault.source}`);
    assert.throws(() => composedRoutes([read('a', declared)]), refusal('the operation "AGet"'));
    assert.throws(() => composedRoutes(routesOf(ofController)), refusal('the operation "AGet"'));
    assert.throws(() => operations(declared), { name: 'TypeError', message: refusal('all operations') });
  });
