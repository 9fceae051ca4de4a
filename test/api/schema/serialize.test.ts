import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schema } from '../../../src/api/schema/declaration/schema.ts';
import type { PropertyNaming } from '../../../src/api/schema/property-naming.ts';
import { serializer } from '../../../src/api/schema/serialize.ts';

const ITEM = {
  type: 'object',
  properties: {
    key: { type: 'string' },
    name: { type: 'string', 'x-nullable': true },
    isComplete: { type: 'boolean', default: false },
    size: { type: 'number' },
  },
} as const satisfies Schema;

const CASES: readonly (readonly [
  clause: string,
  schema: Schema,
  value: unknown,
  text: string,
  naming?: PropertyNaming,
])[] = [
  [
    'D1 in the order of the schema',
    ITEM,
    { isComplete: true, name: 'a', key: 'k' },
    '{"key":"k","name":"a","isComplete":true}',
  ],
  [
    'D1 in PascalCase',
    ITEM,
    { key: 'k', name: null, isComplete: false },
    '{"Key":"k","Name":null,"IsComplete":false}',
    'PascalCase',
  ],
  ['D1 nested too', { type: 'array', items: ITEM }, [{ key: 'k' }, {}], '[{"Key":"k"},{}]', 'PascalCase'],
  ['what the schema does not name is not sent', ITEM, { key: 'k', secret: 1, size: undefined }, '{"key":"k"}'],
  [
    'RFC 8259 quotes, controls, line separators',
    ITEM,
    { key: '"\\\u0000\n\u2028</script>' },
    '{"key":"\\"\\\\\\u0000\\n\u2028</script>"}',
  ],
  [
    'well-formed UTF-8: lone surrogates are escaped, pairs are not',
    ITEM,
    { key: '\ud800', name: '\u{1f600}' },
    '{"key":"\\ud800","name":"\u{1f600}"}',
  ],
  ['numbers that JSON lacks are null', ITEM, { size: Number.NaN }, '{"size":null}'],
  ['numbers', { type: 'array', items: { type: 'number' } }, [-0, 1e21, 1.5, 1e-7], '[0,1e+21,1.5,1e-7]'],
  ['a value of another type is not bent to fit', ITEM, { key: 5, isComplete: 'yes' }, '{"key":5,"isComplete":"yes"}'],
  [
    'an object without properties is written as it is',
    { type: 'object' },
    { anyThing: [1] },
    '{"anyThing":[1]}',
    'PascalCase',
  ],
  ['a value on its own', { type: 'string' }, 'a', '"a"'],
];

for (const [clause, schema, value, text, naming = 'camelCase'] of CASES) {
  test(`${clause} → ${text}`, () => assert.equal(serializer(schema, naming)(value), text));
}

test('texts of any length and content are what JSON.stringify writes', () => {
  for (let code = 0; code < 0x1_0000; code += 7) {
    for (const key of [String.fromCharCode(code), `${'x'.repeat(80)}${String.fromCharCode(code)}`]) {
      const value = { key, name: null, isComplete: false };
      assert.equal(serializer(ITEM, 'camelCase')(value), JSON.stringify(value));
    }
  }
});
