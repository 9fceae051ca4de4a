import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSchema } from '../../../src/operations/schema/assert-schema.ts';
import { type Schema, schema } from '../../../src/operations/schema/schema.ts';

const text = { type: 'string' } as const;
const discriminator = { propertyName: 'a' };
const marked = (value: string) =>
  ({ type: 'object', required: ['a'], properties: { a: { ...text, const: value } } }) as const;

/** Schemas that TypeScript rejects. A JavaScript program can still declare them. */
for (const [clause, declared, message] of [
  ['a keyword of another type', { type: 'string', minimum: 1 }, /it has the keyword "minimum", which string does not/],
  ['a keyword that nobody has', { type: 'object', patternProperties: {} }, /"patternProperties".*use one of title,/],
  ...['anyOf', 'not', 'if', 'then', 'dependentSchemas', 'contains'].map(
    (keyword) =>
      [
        'a keyword of JSON Schema that tries a schema',
        { type: 'object', [keyword]: { type: 'object' } },
        new RegExp(`the keyword "${keyword}"`),
      ] as const,
  ),
  ['uniqueItems of items without a schema', { type: 'array', uniqueItems: true }, /has uniqueItems, but its items/],
  [
    'deep inside',
    { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', maxLength: 1 } } } },
    /\/items\/properties\/a has the keyword "maxLength"/,
  ],
  ['no type', { properties: {} }, /it has no type; use one of string, boolean/],
  ['an unknown type', { type: 'text' }, /it has the type "text"/],
  ['two forms', { type: 'object', allOf: [{ type: 'object' }] }, /it is both object and allOf/],
  ['no schema', 5, /is not a schema/],
  [
    'an unknown format',
    { type: 'string', format: 'ipv4' },
    /"ipv4", which string does not have; use one of uuid, date/,
  ],
  ['a format of another type', { type: 'string', format: 'int32' }, /"int32", which string does not have/],
  [
    'required, but no property',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] },
    /requires "b", which is not one/,
  ],
  ['a length that is none', { type: 'string', minLength: -1 }, /has minLength: -1; give a count from 0/],
  ['limits without a value between them', { type: 'integer', minimum: 2, maximum: 1 }, /minimum 2 and maximum 1/],
  ['multipleOf 0', { type: 'number', multipleOf: 0 }, /give a number from 1e-9 to 1e15 with at most nine decimals/],
  ['D37 a multipleOf with ten decimals', { type: 'number', multipleOf: 1.0000000001 }, /at most nine decimals/],
  ['D37 a multipleOf that is too large', { type: 'number', multipleOf: 1e16 }, /from 1e-9 to 1e15/],
  [
    'D37 nine schemas that are tried for one value',
    { oneOf: [{ oneOf: Array.from({ length: 8 }, () => ({ type: 'object' })) }, { type: 'string' }] },
    /has a oneOf that tries 9 schemas for one value; give it a discriminator, or at most 8 schemas in all/,
  ],
  [
    'D68 uniqueItems of other items than scalars',
    { type: 'array', uniqueItems: true, items: { type: 'object' } },
    /has uniqueItems, but its items are not string, boolean, integer, number; compare the items in a custom check/,
  ],
  ['an empty enum', { type: 'string', enum: [] }, /has enum: \[\]/],
  ['a const of another type', { type: 'string', const: 5 }, /has the wrong const 5: Expected a string, not a number/],
  [
    'a const that is too short',
    { type: 'string', const: 'a', minLength: 3 },
    /has the wrong const "a": Expected 3 or more characters, not 1/,
  ],
  [
    'a limit that an exclusive one excludes',
    { type: 'number', minimum: 9, exclusiveMaximum: 9 },
    /no value matches both/,
  ],
  [
    'an enum of another type',
    { type: 'string', enum: ['a', 1] },
    /has the wrong enum value 1: Expected a string, not a number/,
  ],
  [
    'a default that the schema refuses',
    { type: 'string', maxLength: 1, default: 'ab' },
    /has the wrong default "ab": Expected 1 or fewer/,
  ],
  [
    'an example that the schema refuses',
    { type: 'integer', example: 'x' },
    /has the wrong example "x": Expected an integer/,
  ],
  ['a pattern that does not compile', { type: 'string', pattern: '(' }, /has the pattern "\(", which does not compile/],
  [
    'only what compiles with the flag u, as in JSON Schema',
    { type: 'string', pattern: '\\-' },
    /does not compile: .*Invalid escape/,
  ],
  [
    'readOnly and writeOnly',
    { type: 'object', properties: { a: { type: 'string', readOnly: true, writeOnly: true } } },
    /readOnly and writeOnly/,
  ],
  [
    'a reference to nothing',
    { type: 'array', items: { $ref: 'Note' } },
    /refers to "Note", which is not a named schema around it/,
  ],
  ['allOf of a text', { allOf: [{ type: 'string' }] }, /has a schema in allOf that is not a plain object/],
  [
    'allOf, a property twice',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', properties: { a: { type: 'string' } } },
      ],
    },
    /the property "a" in two schemas of allOf/,
  ],
  [
    'a discriminator and branches without names',
    { oneOf: [marked('x'), schema('B', marked('y')), marked('z')], discriminator },
    /: it has the discriminator "a", but no name for oneOf\/0, oneOf\/2; declare each as schema\('…', …\)$/,
  ],
  [
    'a discriminator and branches without its property, or without a const, or where it may be absent',
    {
      oneOf: [
        schema('A', { type: 'object' }),
        schema('B', { ...marked('x'), properties: { a: text } }),
        schema('C', { ...marked('y'), required: [] }),
        schema('D', marked('z')),
      ],
      discriminator,
    },
    /: it has the discriminator "a", but no required property "a" with a const in oneOf\/0, oneOf\/1, oneOf\/2; add it$/,
  ],
  [
    'a const beside an enum',
    { ...text, const: 'x', enum: ['y'] },
    /it has both a const and an enum; keep one of them$/,
  ],
  [
    'a discriminator with another member',
    {
      oneOf: [schema('B', marked('x')), schema('C', marked('y'))],
      discriminator: { ...discriminator, mapping: { x: 'B' } },
    },
    /it has discriminator: .*mapping.*; give \{ propertyName \}$/,
  ],
  [
    'a misspelt discriminator',
    {
      oneOf: [schema('A', { type: 'object', required: ['kind'], properties: { kind: { ...text, const: 'x' } } })],
      discriminator: { propertyName: 'knid' },
    },
    /: it has the discriminator "knid" \(did you mean kind\?\), but no required property "knid" with a const in oneOf\/0/,
  ],
  [
    'a discriminator whose two mistakes are in one schema',
    { oneOf: [{ type: 'object' }], discriminator },
    /: it has the discriminator "a", but no name for oneOf\/0; .*; it has the discriminator "a", but no required .*$/,
  ],
  [
    'a misspelt keyword',
    { ...text, maxLenght: 9 },
    /"maxLenght", which string does not .*; did you mean "maxLength"\? Use/,
  ],
  ['a keyword in small letters', { type: 'array', minitems: 9 }, /did you mean "minItems"\? Use one of title, /],
  ['a misspelt type', { type: 'strng' }, /it has the type "strng"; did you mean "string"\? Use one of string, boolean/],
  [
    'a misspelt format',
    { ...text, format: 'datetime' },
    /did you mean "date-time"\? Use one of uuid, .*, or define a custom/,
  ],
  [
    'a misspelt required name',
    { type: 'object', properties: { name: text }, required: ['nmae'] },
    /requires "nmae", which is not one of its properties \(did you mean name\?\)/,
  ],
  [
    'a misspelt reference',
    schema('Node', { type: 'object', properties: { next: { $ref: 'Noed' } } }),
    /refers to "Noed", which is not a named schema around it \(did you mean Node\?\); give the schema itself/,
  ],
  [
    'a discriminator and a branch that allows null',
    {
      oneOf: [
        schema('A', {
          type: 'object',
          required: ['a'],
          properties: { a: { type: 'string', const: 'x' } },
          'x-nullable': true,
        }),
      ],
      discriminator: { propertyName: 'a' },
    },
    /has the discriminator "a", but allows null in oneOf\/0; give x-nullable beside oneOf/,
  ],
  [
    'a reference to itself with nothing between',
    schema('Loop', { oneOf: [{ $ref: 'Loop' }, { type: 'string' }] }),
    /refers to itself as "Loop" without a property or an item between/,
  ],
] as const)
  test(`D68 ${clause} → throws with the place and the remedy`, () =>
    assert.throws(
      () => assertSchema(declared as Schema, 'the body of the operation "NotesPost"'),
      (error: unknown) => {
        assert.ok(error instanceof TypeError);
        assert.match(error.message, /^Cannot use the schema .*of the body of the operation "NotesPost": /);
        assert.match(error.message, message);
        return true;
      },
    ));

test('D68 an example of a body may have writeOnly members', () => {
  const password = { type: 'string', writeOnly: true } as const;
  const login = {
    type: 'object',
    properties: { password },
    required: ['password'],
    example: { password: 'x' },
  } as const;
  assertSchema(login, 'a body');
});

test('D68 several errors → one message with all of them and the name of the schema', () => {
  const declared = schema('Note', { type: 'string' });
  assert.throws(() => assertSchema({ ...declared, minLength: 2, maxLength: 1, format: 'x' } as Schema, 'a test'), {
    message:
      /^Cannot use the schema "Note" of a test: it has the format "x".*; it has minLength 2 and maxLength 1; no value matches both/,
  });
});
