import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirementsOf, securityScheme } from '../../src/operations/security.ts';

test('D71 a scheme, with and without roles → requirements', () => {
  const scheme = securityScheme('Key', { type: 'apiKey', in: 'header', name: 'X-Key' });
  assert.deepEqual(requirementsOf([scheme, { scheme, roles: ['admin'] }]), [
    { scheme, roles: [] },
    { scheme, roles: ['admin'] },
  ]);
});

for (const roles of ['admin', [1], null])
  test(`D71 a scheme that declares the roles ${JSON.stringify(roles)} → a TypeError`, () =>
    assert.throws(() => securityScheme('A', { type: 'http', scheme: 'basic' }, roles as never), {
      name: 'TypeError',
      message: /"A": its roles are no list of texts; give/,
    }));

for (const name of ['a b', '', 5, ['a'], undefined])
  test(`D71 the name ${JSON.stringify(name)}, which no document can have → a SyntaxError`, () =>
    assert.throws(() => securityScheme(name as never, { type: 'http', scheme: 'basic' }), SyntaxError));

for (const description of [5, ['a'], {}, null])
  test(`D71 the description ${JSON.stringify(description)} → a TypeError`, () =>
    assert.throws(() => securityScheme('A', { type: 'http', scheme: 'basic', description: description as never }), {
      name: 'TypeError',
      message: /"A": its description is not a text; give one$/,
    }));

for (const kind of [
  { type: 'oauth2' },
  { type: 'http', scheme: 'digest' },
  { type: 'apiKey', in: 'cookie', name: 'a' },
  { type: 'apiKey', in: 'constructor', name: 'a' },
  ...['', 'a b', 'ä', 5, ['a'], null].map((name) => ({ type: 'apiKey', in: 'header', name })),
  ...['', 5, ['a']].map((name) => ({ type: 'apiKey', in: 'query', name })),
])
  test(`D71 ${JSON.stringify(kind)} → refused`, () =>
    assert.throws(() => securityScheme('A', kind as never), {
      name: 'TypeError',
      message: /"A": it is neither an apiKey/,
    }));
