/** Which stored texts are sent as they are: only those that are also written for their value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '../../../src/core/operations/schema/schema.ts';
import { canonicalText } from '../../../src/extensions/collection/stored-texts.ts';

const object = (properties: Schema['properties']): Schema => ({ type: 'object', ...(properties && { properties }) });
const integer = object({ n: { type: 'integer' } });
const nullable = object({ n: { type: 'string', 'x-nullable': true } });

for (const [schema, text, isCanonical] of [
  [integer, '{"n":0}', true],
  [integer, '{"n":-12}', true],
  [integer, '{"n":999999999999999}', true],
  [integer, '{"n":9999999999999999}', false],
  [integer, '{"n":-0}', false],
  [integer, '{"n":01}', false],
  [integer, '{"n":1e3}', false],
  [integer, '{"n":1.0}', false],
  [integer, '{"n":null}', false],
  [integer, '{"n": 1}', false],
  [integer, '{"N":1}', false],
  [integer, '{}', false],
  [integer, '\ufeff{"n":1}', false],
  [integer, '{"n":1}\n', false],
  [nullable, '{"n":null}', true],
  [nullable, '{"n":""}', true],
  [nullable, '{"n":"a b~!"}', true],
  [nullable, '{"n":"a\\u0062"}', false],
  [nullable, '{"n":"é"}', false],
  [nullable, '{"n":"\x7f"}', false],
  [nullable, '{"n":"a","m":1}', false],
  [object({ a: { type: 'boolean' }, 'b.c': { type: 'boolean' } }), '{"a":true,"b.c":false}', true],
  [object({ a: { type: 'boolean' }, 'b.c': { type: 'boolean' } }), '{"a":true,"bxc":false}', false],
  [object({ a: { type: 'boolean' }, b: { type: 'boolean' } }), '{"b":true,"a":false}', false],
  [object({ a: { type: 'array', items: { type: 'boolean' } } }), '{"a":[]}', true],
  [object({ a: { type: 'array', items: { type: 'boolean' } } }), '{"a":[true,false]}', true],
  [object({ a: { type: 'array', items: { type: 'boolean' } } }), '{"a":[true,]}', false],
  [object({ a: integer }), '{"a":{"n":1}}', true],
  [object({}), '{}', true],
  [object(undefined), '{}', false],
  [object({ a: { type: 'array' } }), '{"a":[]}', false],
] as const) {
  test(`D38 – ${text} → ${isCanonical ? 'taken as it was sent' : 'not taken'}`, () => {
    assert.equal(canonicalText(schema, 'camelCase').test(text), isCanonical);
  });
}

test('D38 – the spelling of the wire → that of the setting', () => {
  assert.ok(canonicalText(integer, 'PascalCase').test('{"N":1}'));
  assert.ok(!canonicalText(integer, 'PascalCase').test('{"n":1}'));
});

test('D38 – a text of 32 MiB → judged, whether it is taken or not', () => {
  const canonical = canonicalText(nullable, 'camelCase');
  const name = 'x'.repeat(32 * 1024 * 1024);
  assert.ok(canonical.test(`{"n":"${name}"}`));
  assert.ok(!canonical.test(`{"n":"${name}é"}`));
});
