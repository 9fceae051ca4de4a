import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Authenticator,
  clashingNames,
  requiredAuthenticator,
  type SecuritySchemeKind,
  securityScheme,
} from '../../src/operations/security.ts';

const IN_HEADER: SecuritySchemeKind = { type: 'apiKey', in: 'header', name: 'X-K' };
const authenticatorOf = (
  kind: SecuritySchemeKind = IN_HEADER,
  name = 'Key',
  roles?: readonly string[],
): Authenticator => ({
  scheme: securityScheme(name, kind, roles),
  challenge: () => 'Key',
  authenticate: () => ({ found: 'none' }),
});
const known = authenticatorOf();
const stranger = authenticatorOf();
const declaring = authenticatorOf(IN_HEADER, 'Key', ['reader', 'keeper']);

for (const [clause, required] of [
  ['its scheme', known.scheme],
  ['a requirement of its scheme', { scheme: known.scheme, roles: ['admin'] }],
  ['a role that its scheme declares', { scheme: declaring.scheme, roles: ['keeper'] }],
  ['the authenticator itself', known],
  ['another scheme of the same name and kind', securityScheme('Key', { ...IN_HEADER })],
  ['an authenticator that was copied with its scheme', { ...known }],
] as const)
  test(`D71 ${clause} → the authenticator`, () =>
    assert.equal(requiredAuthenticator(required, [authenticatorOf(IN_HEADER, 'Other'), known], 'it'), known));

for (const [clause, required, authenticators, message] of [
  [
    'a scheme that none checks',
    known.scheme,
    [],
    /^Cannot protect it: no plugin checks the security scheme "Key"; add/,
  ],
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
    /"Key" is declared as \{.*"query".*\}, and its authenticator checks \{.*"header".*\}; make them the same/,
  ],
  [
    'a scheme of its name with another header',
    securityScheme('Key', { type: 'apiKey', in: 'header', name: 'X-L' }),
    [known],
    /"X-L".*"X-K"/,
  ],
  [
    'a role that its authenticator does not declare',
    { scheme: known.scheme, roles: ['reader', 'keepr'] },
    [declaring],
    /^Cannot protect it: it requires the role "keepr", and "Key" has "reader", "keeper" \(did you mean keeper\?\); correct/,
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
  test(`D71 ${clause} → a TypeError`, () =>
    assert.throws(() => requiredAuthenticator(required, authenticators, 'it'), { name: 'TypeError', message }));

test('D71 two authenticators of one name → the fault and the remedy', () =>
  assert.match(clashingNames([known, stranger])!, /two authenticators check a security scheme named "Key"; give/));

test('D71 one authenticator that two plugins bring → no clash of names', () =>
  assert.equal(clashingNames([known, known]), undefined));
