/** Which texts are taken as they were sent: only those that are also written for their value (D38). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyValidator } from '../../../src/core/operations/schema/judge.ts';
import type { Schema } from '../../../src/core/operations/schema/schema.ts';
import { canonicalText } from '../../../src/extensions/collection/stored-texts.ts';
import { writtenTexts } from '../../../src/extensions/collection/written-texts.ts';
import { randomNumbers } from '../../core/routing/random-routes.ts';
import { Collection, note, task } from './kinds.ts';

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

const flat = object({ a: { type: 'string', 'x-nullable': true }, b: { type: 'boolean' } });
for (const [schema, text, isWritten] of [
  [flat, '{"a":"x","b":true}', true],
  [flat, '{"a":"é\u2028😀","b":false}', true],
  [flat, '{"a":null,"b":false}', true],
  [flat, '{"a":"\\"","b":true}', false],
  [flat, '{"a":"\\u0078","b":true}', false],
  [flat, '{"a":"\\"","b":true           }', false],
  [flat, '{"b":true,"a":"x"}', false],
  [flat, '{"a": "x","b":true}', false],
  [flat, '{"a":"x","b":true} ', false],
  [flat, '{"a":"x","b":true,"b":true}', false],
  [flat, '{"a":"x"}', false],
  [integer, '{"n":1.5}', true],
  [integer, '{"n":1e3}', false],
  [integer, '{"n":-0}', false],
  [object({ a: integer }), '{"a":{"n":1}}', false],
  [object({ a: { type: 'string', writeOnly: true } }), '{"a":"x"}', false],
  [object({}), '{}', false],
] as const)
  test(`D38 – ${text} of flat members → ${isWritten ? 'kept as it was sent' : 'written again'}`, () => {
    assert.equal(writtenTexts(schema, 'camelCase')(JSON.parse(text), text), isWritten);
  });

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

for (const kind of [task, note]) {
  test(`D38 – ${kind.name}: other blanks, order, casing, escapes, repeated members → told from what is written`, () => {
    const read = bodyValidator(kind.schema, 'camelCase');
    const collection = new Collection(kind);
    const key = collection.add('a');
    const random = randomNumbers(38);
    const pick = <Value>(...values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
    let equal = 0;
    let alike = 0;
    for (let round = 0; round < 20_000; round++) {
      const name = pick('', 'x', 'Item1', 'a":"b', 'é', `","key":"${key}`, 'x'.repeat(50));
      const members = Object.entries(kind.value(key, name, pick(true, false))).map(([member, value]) => {
        const label = random() < 0.1 ? member.toUpperCase() : member;
        const text = random() < 0.1 ? JSON.stringify(value).replace('x', '\\u0078') : JSON.stringify(value);
        return `"${label}":${text}`;
      });
      if (random() < 0.2) members.push(members.shift()!);
      if (random() < 0.1) members.splice(Math.floor(random() * members.length), 1);
      const more = pick(members[0]!, members.at(-1)!, '"u":{"name":"v"}', '"u":true');
      if (random() < 0.2) members.splice(Math.floor(random() * 3), 0, more);
      let text = `{${members.join(pick(',', ',', ', '))}}`;
      const { value } = read(JSON.parse(text), text);
      if (value === undefined) continue;
      const { body: written, length } = collection.inner.replace(key, value as never)!;
      // Blanks up to the length of what is written: only a look at the text can tell it apart.
      if (text.length < length) text = text.replace(/\}$/, `${' '.repeat(length - text.length)}}`);
      const replaced = collection.inner.replace(key, value as never, undefined, text)!;
      assert.equal(replaced.body, written, text);
      assert.equal(replaced.length, length);
      if (text === written) equal++;
      else if (text.length === length) alike++;
    }
    assert.ok(equal > 1000 && alike > 500, `${equal} equal ones, ${alike} of the same length`);
  });
}
