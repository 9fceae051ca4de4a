import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PropertyNaming } from '../../../src/operations/schema/names.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';
import { serializer } from '../../../src/operations/schema/serialize.ts';

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
const animal = <const Kind extends string>(kind: Kind) =>
  ({ type: 'object', required: ['kind'], properties: { kind: { type: 'string', const: kind }, name: TEXT } }) as const;
const CAT = schema('Cat', animal('cat'));
const DOG = schema('Dog', animal('dog'));

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
  ['numbers', { type: 'array', items: { type: 'number' } }, [-0, 1e21, 1.5, 1e-7], '[0,1e+21,1.5,1e-7]'],
  [
    'what writes itself',
    ITEM,
    { key: new Date(0), name: { toJSON: () => null } },
    '{"key":"1970-01-01T00:00:00.000Z","name":null}',
  ],
  [
    'an object without properties is written as it is',
    { type: 'object' },
    { anyThing: [1] },
    '{"anyThing":[1]}',
    'PascalCase',
  ],
  [
    'D68 the first schema of oneOf that fits and has all members',
    {
      oneOf: [
        { type: 'object', properties: { a: TEXT } },
        { type: 'object', required: ['c'], properties: { a: TEXT, b: TEXT, c: TEXT } },
        { type: 'object', properties: { b: TEXT, a: TEXT } },
      ],
    },
    { a: 'x', b: 'y' },
    '{"b":"y","a":"x"}',
  ],
  [
    'D68 the schema that the discriminator selects, without unknown members',
    { oneOf: [CAT, DOG], discriminator: { propertyName: 'kind' } },
    { kind: 'dog', name: 'Rex', secret: 1 },
    '{"Kind":"dog","Name":"Rex"}',
    'PascalCase',
  ],
  [
    'D68 a writeOnly member of oneOf is not sent',
    { oneOf: [{ type: 'object', properties: { a: TEXT, b: { type: 'string', writeOnly: true } } }] },
    { a: 'x', b: 'secret' },
    '{"a":"x"}',
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
    [null, {}],
    '[null,{}]',
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

const PRICED = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } } as const;
const FREE = { type: 'object' } as const;
const circular: { self?: unknown } = {};
circular.self = circular;

/** Values that JSON changes silently or writes as another type than the schema. */
for (const [declared, value, says] of [
  [PRICED, { price: Number.NaN }, '"/price" is NaN, not a number'],
  [PRICED, { price: Number.NEGATIVE_INFINITY }, '"/price" is -Infinity, not a number'],
  [PRICED, { price: 5n }, '"/price" is a bigint, not a number'],
  [PRICED, { price: '5' }, '"/price" is a string, not a number'],
  [PRICED, { price: null }, '"/price" is null, not a number'],
  [PRICED, {}, '"/price" is required and missing'],
  [PRICED, { price: undefined }, '"/price" is required and missing'],
  [ITEM, [], '"" is an array, not an object'],
  [{ type: 'object', properties: { key: TEXT } }, new Map([['key', 'b']]), '"" is a map, not an object'],
  [PRICED, 5, '"" is 5, not an object'],
  [{ allOf: [PRICED, FREE] }, {}, '"/price" is required and missing'],
  [{ type: 'array', items: PRICED }, [{ price: 1 }, { price: () => 1 }], '"/1/price" is a function, not a number'],
  [{ type: 'array', items: PRICED }, new Array(1), '"/0" is undefined, not an object'],
  [{ type: 'array', items: TEXT }, 'ab', '"" is a string, not an array'],
  [{ type: 'integer' }, 1.5, '"" is 1.5, not an integer'],
  [{ type: 'integer', format: 'int32' }, 2 ** 31, '"" is 2147483648, not an integer of 32 bits'],
  [ITEM, { key: Symbol('k') }, '"/key" is a symbol, not a string'],
  [ITEM, { key: 'k', name: 5 }, '"/name" is 5, not a string or null'],
  [ITEM, { isComplete: 'yes' }, '"/isComplete" is a string, not a boolean'],
  [ITEM, { key: new Date(Number.NaN) }, '"/key" is null, not a string'],
  [{ type: 'object', additionalProperties: TEXT }, { 'a/b': 1 }, '"/a~1b" is 1, not a string'],
  [{ type: 'object', additionalProperties: TEXT }, new Map([['a', 'b']]), '"" is a map, not an object'],
  [
    schema('Node', { type: 'object', properties: { next: { $ref: 'Node' } } }),
    { next: { next: 1 } },
    '"/next/next" is 1, not an object',
  ],
  [{ oneOf: [PRICED, TEXT] }, { price: 'a' }, '"" fits none of an object, a string with all its members'],
  [{ oneOf: [CAT, TEXT] }, { kind: 'cat', secret: 1 }, '"" fits none of Cat, a string with all its members'],
  [{ oneOf: [{ type: 'string', maxLength: 1 }] }, 'ab', '"" fits none of a string with all its members'],
  [
    { oneOf: [CAT, DOG], discriminator: { propertyName: 'kind' } },
    { kind: 'cow' },
    '"/kind" is not one of "cat", "dog"',
  ],
  [FREE, { a: [{ b: Number.NaN }], c: null }, '"/a/0/b" is not a JSON value; JSON would turn it into null'],
  [{ type: 'array' }, [[undefined]], '"/0/0" is not a JSON value; JSON would turn it into null'],
  [FREE, { a: 5n }, '"" is not written: Do not know how to serialize a BigInt'],
  [FREE, new Date(0), '"" has a toJSON() that gives "1970-01-01T00:00:00.000Z", not an object'],
] as const)
  test(`D14 – a value of a schema in which ${says} → is not written`, () =>
    assert.throws(() => serializer(declared, 'PascalCase')(value as never), {
      name: 'TypeError',
      message: `Cannot write the value as JSON: ${says}`,
    }));

test('D14 – an object that contains itself → is not written, and the message names the cause', () =>
  assert.throws(() => serializer(FREE, 'camelCase')(circular), /"" is not written: Converting circular structure/));

for (const [clause, declared, value, text, naming = 'camelCase'] of CASES)
  test(`${clause} → ${text}`, () => assert.equal(serializer(declared, naming)(value as never), text));
