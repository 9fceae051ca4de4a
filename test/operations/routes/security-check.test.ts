import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { ok } from '../../../src/operations/operation/results.ts';
import { authenticators } from '../../../src/operations/operations.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { securityCheck } from '../../../src/operations/routes/security-check.ts';
import {
  type Authenticator,
  type Credentials,
  type SecuritySchemeKind,
  securityScheme,
} from '../../../src/operations/security.ts';

const IN_HEADER: SecuritySchemeKind = { type: 'apiKey', in: 'header', name: 'X-K' };
const authenticatorOf = (name = 'Key', roles?: readonly string[]): Authenticator => ({
  scheme: securityScheme(name, IN_HEADER, roles),
  challenge: () => 'Key',
  authenticate: () => ({ found: 'none' }),
});
const known = authenticatorOf();
const stranger = authenticatorOf();
const declaring = authenticatorOf('Key', ['reader', 'keeper']);

for (const [clause, required, offered, fault] of [
  ['its scheme', known.scheme, [known]],
  ['a requirement of its scheme', { scheme: known.scheme, roles: ['admin'] }, [known]],
  ['a role that its scheme declares', { scheme: declaring.scheme, roles: ['keeper'] }, [known]],
  ['the authenticator itself', known, [known]],
  ['another scheme of the same name and kind', securityScheme('Key', { ...IN_HEADER }), [known]],
  ['an authenticator that was copied with its scheme', { ...known }, [known]],
  ['a scheme without an authenticator', known.scheme, [], /no plugin checks the security scheme "Key"; add/],
  [
    'another authenticator of its name',
    stranger,
    [known],
    /another authenticator checks the security scheme "Key"; add/,
  ],
  [
    'a requirement of another authenticator of its name',
    { scheme: { ...stranger, ...stranger.scheme } },
    [known],
    /another authenticator checks the security scheme "Key"/,
  ],
  [
    'a scheme of its name in the query',
    securityScheme('Key', { type: 'apiKey', in: 'query', name: 'k' }),
    [known],
    /"Key" is declared as \{.*"query".*\}, and its authenticator checks \{.*"header".*\}; make them equal/,
  ],
  [
    'a scheme of its name with another header',
    securityScheme('Key', { ...IN_HEADER, name: 'X-L' } as SecuritySchemeKind),
    [known],
    /"X-L".*"X-K"/,
  ],
  [
    'a role that its authenticator does not declare',
    { scheme: known.scheme, roles: ['reader', 'keepr'] },
    [declaring],
    /it requires the role "keepr", and "Key" has "reader", "keeper" \(did you mean keeper\?\); correct/,
  ],
  [
    'a role that its scheme does not declare',
    { scheme: declaring.scheme, roles: ['owner'] },
    [known],
    /it requires the role "owner", and "Key" has "reader", "keeper"; correct it, or declare the role$/,
  ],
  [
    'a role of a scheme that declares none',
    { scheme: securityScheme('Key', IN_HEADER, []), roles: ['reader'] },
    [known],
    /and "Key" has none; correct/,
  ],
] as const)
  test(`D71 ${clause} → ${fault === undefined ? 'is checked' : 'a TypeError'}`, () => {
    const routed = { id: 'it', security: [required] } as unknown as Parameters<typeof securityCheck>[0];
    const check = () => securityCheck(routed, [authenticatorOf('Other'), ...offered]);
    if (fault === undefined) return assert.equal(typeof check(), 'function');
    const message = new RegExp(`^Cannot protect the operation "it": .*${fault.source}`);
    assert.throws(check, { name: 'TypeError', message });
  });

/** A custom authenticator. Its challenge shows whether it got an error. */
const own = (name: string, returned: unknown): Authenticator => ({
  scheme: securityScheme(name, { type: 'http', scheme: 'basic' }),
  challenge: (error) => `${name} error="${error ?? 'none'}"`,
  authenticate: () => returned as Credentials<unknown>,
});

/** Sends a request to an operation that requires the role `admin`. The operation answers with the caller. */
async function ask(ways: readonly Authenticator[], members: object = {}) {
  const errors: unknown[] = [];
  const get = operation({
    method: 'GET',
    path: '',
    responses: { 200: { schema: { type: 'string' } } },
    handle: ({ identity }) => ok(String(identity)),
    ...members,
  });
  const security = ways.map(({ scheme }) => ({ scheme, roles: ['admin'] }));
  const routes = routesOf({ name: 'Own', path: 'own', security, operations: [get] });
  const plugin = { name: 'own', offers: [authenticators.of(ways)], routes };
  const reply = await application([plugin], { log: (error) => errors.push(error) }).request('/own');
  return { status: reply.status, challenge: reply.headers.get('www-authenticate'), body: await reply.json(), errors };
}

const thenable = (value: unknown) => ({ then: (done: (value: unknown) => void) => done(value) });
const VALID = { found: 'valid', identity: 'Ann', roles: ['admin'] };
for (const [returned, status] of [
  [VALID, 200],
  [{ found: 'valid', identity: 'Ann' }, 403],
  [{ ...VALID, roles: ['non-admin'] }, 403],
  [{ found: 'none' }, 401],
  [{ found: 'invalid' }, 401],
  ...[undefined, null, true, 'valid', {}, { found: true }, { ...VALID, found: 'Valid' }].map(
    (one) => [one, 500] as const,
  ),
  ...['non-admin', null, [['admin']]].map((roles) => [{ ...VALID, roles }, 500] as const),
] as const)
  test(`D71 an authenticator returns ${JSON.stringify(returned)}, directly, in a promise and in a thenable → ${status}`, async () => {
    for (const form of [returned, Promise.resolve(returned), thenable(returned)]) {
      const { status: answered, errors } = await ask([own('A', form)]);
      assert.equal(answered, status);
      const says = /^TypeError: Cannot use what the authenticator of "A" returned: .*; return /;
      if (status === 500) assert.match(String(errors[0]), says);
      else assert.deepEqual(errors, []);
    }
  });

test('RFC 6750 §3.1 invalid credentials for one of two schemes → only its challenge has an error', async () => {
  const { status, challenge } = await ask([own('A', { found: 'none' }), own('B', { found: 'invalid' })]);
  assert.deepEqual([status, challenge], [401, 'A error="none", B error="invalid_token"']);
});

const named = (name: string, found: Credentials<unknown>['found'], identity = name): Authenticator =>
  own(name, { found, identity, roles: identity === 'Eve' ? [] : ['admin'] });
for (const [clause, ways, members, answer] of [
  ['one scheme', [named('A', 'valid')], {}, 'A'],
  ['the second of two schemes', [named('A', 'invalid'), named('B', 'valid')], {}, 'B'],
  ['two schemes', [named('A', 'valid'), named('B', 'valid')], {}, 'A'],
  ['a scheme without the roles, and another scheme', [named('A', 'valid', 'Eve'), named('B', 'valid')], {}, 'B'],
  ['a scheme, but the operation is public', [named('A', 'valid')], { public: true }, undefined],
  ['a scheme, but the operation requires none', [named('A', 'valid')], { security: [] }, undefined],
] as const)
  test(`D71 ${clause} → the identity is ${answer ?? 'an error with the cause'}`, async () => {
    const { status, body, errors } = await ask(ways, members);
    if (answer !== undefined) assert.deepEqual([status, body], [200, answer]);
    else
      assert.match(
        String(errors[0]),
        /^Error: Cannot identify the caller of "OwnGet": it requires no credentials; declare/,
      );
  });

for (const [isPublic, status] of [
  [true, 200],
  [false, 401],
] as const)
  test(`D71 an operation with public: ${isPublic} below a controller with security → ${status}`, async () => {
    const handle = () => ok('in');
    assert.equal((await ask([own('A', { found: 'none' })], { public: isPublic, handle })).status, status);
  });
