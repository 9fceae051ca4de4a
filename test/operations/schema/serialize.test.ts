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
    'RFC 8259 an object without properties whose toJSON returns the object itself',
    { type: 'object' },
    {
      a: 1,
      toJSON() {
        return this;
      },
    },
    '{"a":1}',
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
  [PRICED, { price: Number.NaN }, '"/price": Expected a number, not NaN'],
  [PRICED, { price: Number.NEGATIVE_INFINITY }, '"/price": Expected a number, not one beyond the range of a double'],
  [PRICED, { price: 5n }, '"/price": Expected a number, not a bigint'],
  [PRICED, { price: '5' }, '"/price": Expected a number, not a string'],
  [PRICED, { price: null }, '"/price": Expected a number, not null'],
  [PRICED, {}, '"/price": This member is required'],
  [PRICED, { price: undefined }, '"/price": This member is required'],
  [ITEM, [], '"": Expected an object, not an array'],
  [{ type: 'object', properties: { key: TEXT } }, new Map([['key', 'b']]), '"": Expected an object, not a map'],
  [PRICED, 5, '"": Expected an object, not a number'],
  [{ allOf: [PRICED, FREE] }, {}, '"/price": This member is required'],
  [
    { type: 'array', items: PRICED },
    [{ price: 1 }, { price: () => 1 }],
    '"/1/price": Expected a number, not a function',
  ],
  [{ type: 'array', items: PRICED }, new Array(1), '"/0": Expected an object, not undefined'],
  [{ type: 'array', items: TEXT }, 'ab', '"": Expected an array, not a string'],
  [{ type: 'integer' }, 1.5, '"": Expected an integer, not 1.5'],
  [{ type: 'integer', format: 'int32' }, 5n, '"": Expected an integer of 32 bits, not a bigint'],
  [{ type: 'integer', format: 'int32' }, 2 ** 31, '"": Expected an integer of 32 bits, not 2147483648'],
  [ITEM, { key: Symbol('k') }, '"/key": Expected a string, not a symbol'],
  [ITEM, { key: 'k', name: 5 }, '"/name": Expected a string or null, not a number'],
  [ITEM, { isComplete: 'yes' }, '"/isComplete": Expected a boolean, not a string'],
  [ITEM, { key: new Date(Number.NaN) }, '"/key": Expected a string, not null'],
  [{ type: 'object', additionalProperties: TEXT }, { 'a/b': 1 }, '"/a~1b": Expected a string, not a number'],
  [{ type: 'object', additionalProperties: TEXT }, new Map([['a', 'b']]), '"": Expected an object, not a map'],
  [
    schema('Node', { type: 'object', properties: { next: { $ref: 'Node' } } }),
    { next: { next: 1 } },
    '"/next/next": Expected an object, not a number',
  ],
  [{ oneOf: [PRICED, TEXT] }, { price: 'a' }, '"": Expected one of an object, a string, with all its members'],
  [{ oneOf: [CAT, TEXT] }, { kind: 'cat', secret: 1 }, '"": Expected one of Cat, a string, with all its members'],
  [{ oneOf: [{ type: 'string', maxLength: 1 }] }, 'ab', '"": Expected one of a string, with all its members'],
  [
    { oneOf: [CAT, DOG], discriminator: { propertyName: 'kind' } },
    { kind: 'cow' },
    '"/kind": Expected one of "cat", "dog"',
  ],
  [FREE, { a: [{ b: Number.NaN }], c: null }, '"/a/0/b": Expected a value with numbers in the range of a double'],
  [{ type: 'array' }, [[undefined]], '"/0/0": Expected a value of JSON, not undefined'],
  [FREE, { a: 5n }, '"/a": Expected a value of JSON, not a bigint'],
  [FREE, new Date(0), '"": Expected an object, not a string'],
] as const)
  test(`D14 – a value of a schema in which ${says} → is not written`, () =>
    assert.throws(() => serializer(declared, 'PascalCase')(value as never), {
      name: 'TypeError',
      message: `Cannot write the value as JSON: ${says}`,
    }));

test('D14 – an object that contains itself → is not written', () =>
  assert.throws(
    () => serializer(FREE, 'camelCase')(circular),
    /Expected a value with at most 2000 objects and arrays inside one another/,
  ));

for (const [clause, declared, value, text, naming = 'camelCase'] of CASES)
  test(`${clause} → ${text}`, () => assert.equal(serializer(declared, naming)(value as never), text));
