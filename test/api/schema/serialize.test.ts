import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Schema, schema } from '../../../src/api/schema/declaration/schema.ts';
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

const TEXT = { type: 'string' } as const;

const CASES: readonly (readonly [
  clause: string,
  declared: Schema,
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
  ['an item that is not there is null', { type: 'array', items: { type: 'number' } }, new Array(2), '[null,null]'],
  ['a value of another type is not bent to fit', ITEM, { key: 5, isComplete: 'yes' }, '{"key":5,"isComplete":"yes"}'],
  [
    'an object without properties is written as it is',
    { type: 'object' },
    { anyThing: [1] },
    '{"anyThing":[1]}',
    'PascalCase',
  ],
  [
    'D68 writeOnly members are not sent, whatever the schema of oneOf',
    { oneOf: [{ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', writeOnly: true } } }] },
    { a: 'x', b: 'secret', c: 1 },
    '{"a":"x"}',
  ],
  [
    'D68 a value that matches no schema of oneOf is written by the first that names most of its members',
    { oneOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'string' }] },
    { a: 5, b: 'secret' },
    '{"a":5}',
  ],
  [
    'D68 writeOnly members are not sent, whatever is wrong with the value',
    {
      oneOf: [
        { type: 'string' },
        { type: 'object', additionalProperties: { type: 'integer' } },
        {
          type: 'object',
          properties: { id: { type: 'string', minLength: 3 }, b: { type: 'string', writeOnly: true } },
        },
      ],
    },
    { id: 'ab', b: 'secret' },
    '{"id":"ab"}',
  ],
  [
    'D68 an array that matches no schema of oneOf stays an array',
    { oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'string', minLength: 2 } }] },
    ['a'],
    '["a"]',
  ],
  [
    'members of the prototype are not sent',
    { type: 'object', properties: { toString: TEXT, constructor: TEXT } },
    { constructor: 'x' },
    '{"constructor":"x"}',
  ],
  [
    'D68 properties and a map',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } },
    { b: 1, a: 'x', c: undefined },
    '{"a":"x","b":1}',
  ],
  [
    'D68 a map, null in place of it',
    {
      type: 'array',
      items: { type: 'object', 'x-nullable': true, properties: {}, additionalProperties: { type: 'string' } },
    },
    [null, 5, {}],
    '[null,5,{}]',
  ],
  [
    'D68 a member of a map that has the spelling of a property is not sent twice',
    { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
    { A: 'x', a: 'y' },
    '{"A":"y"}',
    'PascalCase',
  ],
  [
    'D68 parts of allOf that refer to each other',
    schema('Whole', {
      allOf: [
        schema('Part', { type: 'object', properties: { next: { $ref: 'Whole' }, part: { $ref: 'Part' } } }),
        { type: 'object' },
      ],
    }),
    { part: { next: { next: {} } } },
    '{"part":{"next":{"next":{}}}}',
  ],
  ['a value on its own', { type: 'string' }, 'a', '"a"'],
];

for (const [clause, declared, value, text, naming = 'camelCase'] of CASES) {
  test(`${clause} → ${text}`, () => assert.equal(serializer(declared, naming)(value as never), text));
}

test('texts of any length and content are what JSON.stringify writes', () => {
  for (let code = 0; code < 0x1_0000; code += 7) {
    for (const key of [String.fromCharCode(code), `${'x'.repeat(80)}${String.fromCharCode(code)}`]) {
      const value = { key, name: null, isComplete: false };
      assert.equal(serializer(ITEM, 'camelCase')(value), JSON.stringify(value));
    }
  }
});
