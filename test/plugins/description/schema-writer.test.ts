import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schema } from '../../../src/operations/schema/schema.ts';
import { openApiSchemas } from '../../../src/plugins/description/describe-openapi.ts';
import { swaggerSchemas } from '../../../src/plugins/description/describe-swagger.ts';

const WRITERS = { '2.0': swaggerSchemas, '3.1': openApiSchemas };
/** The written schema, with the same prefix of references for both formats. */
const short = <Written>(written: Written): Written =>
  JSON.parse(JSON.stringify(written).replaceAll(/#\/(?:definitions|components\/schemas)\//g, '#/'));

const animal = (name: string, kind: object) =>
  schema(name, { type: 'object', required: ['kind'], properties: { kind: { type: 'string', ...kind } } } as const);
const cat = animal('Cat', { const: 'cat' });
const dog = animal('Dog', { enum: ['dog', 'puppy'] });

/** The schema, its form in 2.0, and its form in 3.1 if that differs. */
for (const [clause, declared, swagger, openApi = swagger] of [
  [
    'keywords that are the same in both',
    { type: 'string', format: 'uuid', minLength: 1, maxLength: 2, pattern: 'a', enum: ['a', 'b'] },
    { format: 'uuid', type: 'string', enum: ['a', 'b'], minLength: 1, maxLength: 2, pattern: 'a' },
  ],
  [
    'arrays',
    { type: 'array', items: { type: 'number', multipleOf: 2 }, minItems: 1, maxItems: 2, uniqueItems: true },
    { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true, items: { type: 'number', multipleOf: 2 } },
  ],
  ['an array of anything, with an empty `items`', { type: 'array' }, { type: 'array', items: {} }],
  ...['\\p{Lu}', '^[^\\P{L}a]', 'a\\u{1F600}', '😀+'].map(
    (pattern) =>
      [
        `the pattern ${pattern}, which needs the flag that 2.0 lacks`,
        { type: 'string', pattern },
        { type: 'string', 'x-pattern': pattern },
        { type: 'string', pattern },
      ] as const,
  ),
  ...['\\\\p{1}', '\\u00FC', 'p{2}'].map(
    (pattern) =>
      [`the pattern ${pattern}, which needs none`, { type: 'string', pattern }, { type: 'string', pattern }] as const,
  ),
  ['const', { type: 'integer', const: 1 }, { type: 'integer', enum: [1] }, { type: 'integer', const: 1 }],
  [
    'enum and null',
    { type: 'string', enum: ['a'], 'x-nullable': true },
    { type: 'string', enum: ['a'], 'x-nullable': true },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'exclusive limits',
    { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 },
    { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true },
    { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 9 },
  ],
  [
    'both kinds of limits',
    { type: 'number', minimum: 2, exclusiveMinimum: 1, maximum: 9, exclusiveMaximum: 9 },
    { type: 'number', minimum: 2, maximum: 9, exclusiveMaximum: true },
    { type: 'number', minimum: 2, maximum: 9, exclusiveMinimum: 1, exclusiveMaximum: 9 },
  ],
  [
    'readOnly, writeOnly and examples',
    {
      type: 'object',
      properties: { a: { type: 'string', readOnly: true, example: 'x' }, b: { type: 'string', writeOnly: true } },
    },
    { type: 'object', properties: { a: { readOnly: true, type: 'string', example: 'x' }, b: { type: 'string' } } },
    {
      type: 'object',
      properties: { a: { examples: ['x'], readOnly: true, type: 'string' }, b: { writeOnly: true, type: 'string' } },
    },
  ],
  ['no others', { type: 'object', additionalProperties: false }, { type: 'object', additionalProperties: false }],
  [
    'an object of anything',
    { type: 'object', 'x-nullable': true },
    { type: 'object', additionalProperties: true, 'x-nullable': true },
    { type: ['object', 'null'], additionalProperties: true },
  ],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'integer', format: 'int32' } },
    { type: 'object', additionalProperties: { format: 'int32', type: 'integer' } },
  ],
  [
    'allOf',
    { allOf: [cat, { type: 'object', properties: { name: { type: 'string' } } }], 'x-nullable': true },
    {
      required: ['kind'],
      type: 'object',
      properties: { kind: { type: 'string', enum: ['cat'] }, name: { type: 'string' } },
      'x-nullable': true,
    },
    {
      anyOf: [
        { allOf: [{ $ref: '#/Cat' }, { type: 'object', properties: { name: { type: 'string' } } }] },
        { type: 'null' },
      ],
    },
  ],
  [
    'oneOf with a discriminator',
    { oneOf: [cat, dog], discriminator: { propertyName: 'kind' }, description: 'A pet' },
    {
      description: 'A pet',
      required: ['kind'],
      type: 'object',
      properties: { kind: { type: 'string', enum: ['cat', 'dog', 'puppy'] } },
    },
    {
      description: 'A pet',
      oneOf: [{ $ref: '#/Cat' }, { $ref: '#/Dog' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/Cat', dog: '#/Dog', puppy: '#/Dog' } },
    },
  ],
  [
    'oneOf of a single schema, or null',
    { oneOf: [{ oneOf: [cat, dog] }], 'x-nullable': true, description: 'None' },
    { description: 'None', type: 'object', 'x-nullable': true },
    { description: 'None', anyOf: [{ oneOf: [{ oneOf: [{ $ref: '#/Cat' }, { $ref: '#/Dog' }] }] }, { type: 'null' }] },
  ],
  ['oneOf of a single schema', { oneOf: [cat] }, { allOf: [{ $ref: '#/Cat' }] }, { oneOf: [{ $ref: '#/Cat' }] }],
  [
    'oneOf of different types',
    { oneOf: [{ type: 'integer' }, { type: 'string' }], 'x-nullable': true },
    { 'x-nullable': true },
    { anyOf: [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, { type: 'null' }] },
  ],
  [
    'oneOf of different types, or null, with a schema that allows null',
    { oneOf: [{ type: 'integer', 'x-nullable': true }, { type: 'string' }], 'x-nullable': true, title: 'A' },
    { title: 'A', 'x-nullable': true },
    { title: 'A', anyOf: [{ oneOf: [{ type: ['integer', 'null'] }, { type: 'string' }] }, { type: 'null' }] },
  ],
  [
    'oneOf with a schema that allows null',
    {
      oneOf: [
        { type: 'object', properties: {}, 'x-nullable': true },
        { type: 'object', properties: {} },
      ],
    },
    { type: 'object', 'x-nullable': true },
    {
      oneOf: [
        { type: ['object', 'null'], properties: {} },
        { type: 'object', properties: {} },
      ],
    },
  ],
  [
    'oneOf with a oneOf that allows null',
    { oneOf: [{ oneOf: [cat], 'x-nullable': true }, { oneOf: [dog] }] },
    { 'x-nullable': true },
    { oneOf: [{ anyOf: [{ oneOf: [{ $ref: '#/Cat' }] }, { type: 'null' }] }, { oneOf: [{ $ref: '#/Dog' }] }] },
  ],
  [
    'oneOf with a discriminator, or null',
    { oneOf: [cat, dog], discriminator: { propertyName: 'kind' }, 'x-nullable': true, description: 'A pet' },
    {
      description: 'A pet',
      required: ['kind'],
      type: 'object',
      properties: { kind: { type: 'string', enum: ['cat', 'dog', 'puppy'] } },
      'x-nullable': true,
    },
    {
      description: 'A pet',
      anyOf: [
        {
          oneOf: [{ $ref: '#/Cat' }, { $ref: '#/Dog' }],
          discriminator: { propertyName: 'kind', mapping: { cat: '#/Cat', dog: '#/Dog', puppy: '#/Dog' } },
        },
        { type: 'null' },
      ],
    },
  ],
] as const) {
  for (const [version, expected] of [
    ['2.0', swagger],
    ['3.1', openApi],
  ] as const)
    test(`D68 ${clause} → written in ${version}`, () => {
      const writer = WRITERS[version]({ title: 'A test' }, 'camelCase');
      const written = writer.write(declared);
      assert.equal(JSON.stringify(short(written)), JSON.stringify(expected));
    });
}

const node = schema('Node', {
  type: 'object',
  properties: {
    next: { $ref: 'Node', 'x-nullable': true, description: 'The next' },
    all: { type: 'array', items: { $ref: 'Node' } },
  },
});
for (const [version, next] of [
  ['2.0', { description: 'The next', allOf: [{ $ref: '#/NodeOrNull' }], 'x-nullable': true }],
  ['3.1', { description: 'The next', anyOf: [{ $ref: '#/Node' }, { type: 'null' }] }],
] as const)
  test(`D68 a recursive schema → a reference to its definition in ${version}`, () => {
    const writer = WRITERS[version]({ title: 'A test' }, 'camelCase');
    assert.deepEqual(short(writer.write(node)), { $ref: '#/Node' });
    const written = { type: 'object', properties: { next, all: { type: 'array', items: { $ref: '#/Node' } } } };
    const definitions = short(writer.definitions);
    assert.deepEqual(definitions['Node'], written);
    assert.deepEqual(definitions['NodeOrNull'], version === '2.0' ? { ...written, 'x-nullable': true } : undefined);
  });

test('D68 a nullable union and a nullable allOf with names → separate definitions in 2.0', () => {
  const pet = schema('Pet', { oneOf: [cat, dog], discriminator: { propertyName: 'kind' } });
  const tom = schema('Tom', { allOf: [cat, { type: 'object', properties: { name: { type: 'string' } } }] });
  const writer = swaggerSchemas({ title: 'A test' }, 'camelCase');
  assert.deepEqual(short(writer.write({ oneOf: [pet], 'x-nullable': true, title: 'Perhaps' })), {
    title: 'Perhaps',
    allOf: [{ $ref: '#/PetOrNull' }],
    'x-nullable': true,
  });
  assert.deepEqual(short(writer.write({ oneOf: [tom], 'x-nullable': true })), {
    allOf: [{ $ref: '#/TomOrNull' }],
    'x-nullable': true,
  });
  const { Pet, PetOrNull, Tom, TomOrNull } = short(writer.definitions);
  assert.deepEqual(PetOrNull, { ...Pet, 'x-nullable': true });
  assert.deepEqual(Tom!['allOf'], [{ $ref: '#/Cat' }, { type: 'object', properties: { name: { type: 'string' } } }]);
  assert.deepEqual(TomOrNull, {
    required: ['kind'],
    type: 'object',
    properties: { kind: { type: 'string', enum: ['cat'] }, name: { type: 'string' } },
    'x-nullable': true,
  });
  const other = schema('PetOrNull', { type: 'object' });
  assert.throws(() => writer.write(other), /two schemas named "PetOrNull"/);
});

const TREE = schema('Tree', {
  type: 'object',
  required: ['name', 'secret', 'made'],
  properties: {
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
    made: { type: 'string', readOnly: true },
    parts: { type: 'array', items: { $ref: 'Tree' }, default: [{ name: 'b', secret: 's', made: 'm' }] },
  },
  example: { name: 'a', secret: 's', made: 'm', parts: [] },
});
for (const version of ['2.0', '3.1'] as const)
  test(`D1, D130 defaults and examples in ${version} → the names of the JSON; required has what bodies and replies have`, () => {
    const writer = WRITERS[version]({ title: 'A test' }, 'PascalCase');
    writer.write(TREE);
    const { example, examples, required: names, properties } = writer.definitions['Tree'] as any;
    assert.deepEqual(example ?? examples[0], { Name: 'a', Secret: 's', Made: 'm', Parts: [] });
    assert.deepEqual(properties.Parts.default, [{ Name: 'b', Secret: 's', Made: 'm' }]);
    assert.deepEqual(names, ['Name']);
  });
