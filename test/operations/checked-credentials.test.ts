import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedCredentials, securityScheme } from '../../src/operations/security.ts';
import { testContext } from '../support/test-context.ts';

const check = (returned: unknown) =>
  checkedCredentials(
    {
      scheme: securityScheme('Own', { type: 'http', scheme: 'basic' }),
      challenge: () => 'Basic',
      authenticate: () => returned as never,
    },
    testContext('/'),
  );
const thenable = (value: unknown) => ({ then: (done: (value: unknown) => void) => done(value) });

for (const [returned, identity, roles] of [
  [{ found: 'none' }, undefined, []],
  [{ found: 'invalid' }, undefined, []],
  [{ found: 'valid', identity: 'Ann' }, 'Ann', []],
  [{ found: 'valid', identity: 'Ann', roles: ['admin'] }, 'Ann', ['admin']],
] as const) {
  const { found } = returned;
  test(`D71 an authenticator finds ${JSON.stringify(returned)} → ${found}, at once and from a thenable`, async () => {
    assert.deepEqual(await check(returned), { found, identity, roles });
    assert.deepEqual(await check(thenable(returned)), { found, identity, roles });
  });
}

for (const returned of [
  undefined,
  null,
  true,
  'valid',
  {},
  { found: true },
  { found: 'Valid', identity: 'Ann' },
  { found: 'valid', identity: 'Ann', roles: 'non-admin' },
  { found: 'valid', identity: 'Ann', roles: null },
  { found: 'valid', identity: 'Ann', roles: [['admin']] },
])
  test(`D71 an authenticator returns ${JSON.stringify(returned)} → a TypeError that says what to return`, async () => {
    const refusal = { name: 'TypeError', message: /^Cannot use what the authenticator of "Own" returned: .*; return / };
    await assert.rejects(check(returned), refusal);
    await assert.rejects(check(thenable(returned)), refusal);
  });
