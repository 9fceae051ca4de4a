/** Every keyword of a schema. Each operation answers its body; what is `writeOnly` is not in the answer. */
import { type Controller, ok, operation, schema } from '../../../src/index.ts';

const Texts = schema('Texts', {
  type: 'object',
  title: 'Texts of every format',
  description: 'A member that is not listed is refused',
  required: ['name', 'kind'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 20, pattern: '^\\p{Lu}', description: 'A name', example: 'Ünal' },
    kind: { type: 'string', const: 'texts' },
    colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
    id: { type: 'string', format: 'uuid' },
    day: { type: 'string', format: 'date' },
    moment: { type: 'string', format: 'date-time' },
    email: { type: 'string', format: 'email' },
    site: { type: 'string', format: 'uri' },
    note: { type: 'string', 'x-nullable': true },
    mood: { type: 'string', enum: ['good', 'bad'], 'x-nullable': true },
    password: { type: 'string', format: 'password', writeOnly: true },
    length: { type: 'integer', readOnly: true, description: 'Of the name' },
  },
});

const writeTexts = operation({
  method: 'POST',
  path: 'texts',
  summary: 'Answers texts.',
  body: Texts,
  bodyParameter: { name: 'texts', description: 'The texts' },
  responses: { 200: { schema: Texts } },
  handle: ({ body: { password: _, ...body } }) => ok({ ...body, length: body.name.length }),
});

const Numbers = schema('Numbers', {
  type: 'object',
  title: 'Numbers within every limit',
  properties: {
    small: { type: 'integer', format: 'int32', minimum: 0, maximum: 10, example: 7 },
    big: { type: 'integer', format: 'int64' },
    single: { type: 'number', format: 'float' },
    double: { type: 'number', format: 'double', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    price: { type: 'number', multipleOf: 0.01, default: 0 },
    level: { type: 'integer', enum: [1, 2, 3] },
    version: { type: 'integer', const: 2 },
    missing: { type: 'number', 'x-nullable': true },
    on: { type: 'boolean', default: false },
  },
});

const writeNumbers = operation({
  method: 'POST',
  path: 'numbers',
  summary: 'Answers numbers.',
  body: Numbers,
  responses: { 200: { schema: Numbers } },
  handle: ({ body }) => ok(body),
});

const Lists = schema('Lists', {
  type: 'object',
  properties: {
    texts: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 3, uniqueItems: true },
    pairs: { type: 'array', items: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 } },
    numbers: { type: 'array', items: Numbers },
    anything: { type: 'array' },
    days: { type: 'array', items: { type: 'string', format: 'date' }, 'x-nullable': true, default: [] },
    counts: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    labels: {
      type: 'object',
      required: ['first'],
      properties: { first: { type: 'string' }, second: { type: 'string' } },
      additionalProperties: { type: 'string', maxLength: 5 },
    },
    closed: { type: 'object', properties: { one: { type: 'integer' } }, additionalProperties: false },
    open: { type: 'object' },
  },
});

const writeLists = operation({
  method: 'POST',
  path: 'lists',
  summary: 'Answers lists and maps.',
  body: Lists,
  responses: { 200: { schema: Lists } },
  handle: ({ body }) => ok(body),
});

/** Circle and square are told apart by their `kind`, a length by its type. */
const Circle = schema('Circle', {
  type: 'object',
  required: ['kind', 'radius'],
  properties: { kind: { type: 'string', const: 'circle' }, radius: { type: 'number', minimum: 0 } },
});
const Square = schema('Square', {
  type: 'object',
  required: ['kind', 'side'],
  properties: { kind: { type: 'string', enum: ['square', 'tile'] }, side: { type: 'number', minimum: 0 } },
});
const Shape = schema('Shape', {
  oneOf: [Circle, Square],
  discriminator: { propertyName: 'kind' },
  description: 'A circle or a square',
});
const Length = schema('Length', {
  oneOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: '^\\d{1,9} m$' },
  ],
});

const Person = schema('Person', {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, born: { type: 'string', format: 'date' } },
});
const Painter = schema('Painter', {
  allOf: [Person, { type: 'object', required: ['style'], properties: { style: { type: 'string' } } }],
  description: 'A person with a style',
});

const Drawing = schema('Drawing', {
  type: 'object',
  required: ['shapes'],
  properties: {
    shapes: { type: 'array', items: Shape },
    background: { oneOf: [Shape], 'x-nullable': true },
    width: Length,
    painter: Painter,
  },
});

const writeDrawing = operation({
  method: 'POST',
  path: 'drawings',
  summary: 'Answers shapes, each of one of several kinds.',
  body: Drawing,
  responses: { 200: { schema: Drawing } },
  handle: ({ body }) => ok(body),
});

const writeShape = operation({
  method: 'POST',
  path: 'shapes',
  summary: 'Answers one shape.',
  body: Shape,
  responses: { 200: { schema: Shape } },
  handle: ({ body }) => ok(body),
});

const Tree = schema('Tree', {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: 'Tree' } },
    byName: { type: 'object', additionalProperties: { $ref: 'Tree' } },
  },
});

const writeTree = operation({
  method: 'POST',
  path: 'trees',
  summary: 'Answers a tree, in which there are trees.',
  body: Tree,
  responses: { 200: { schema: Tree } },
  handle: ({ body }) => ok(body),
});

const Chain = schema('Chain', {
  type: 'object',
  required: ['link'],
  properties: { link: { type: 'integer' }, next: { $ref: 'Chain', 'x-nullable': true, description: 'The next link' } },
});

const writeChain = operation({
  method: 'POST',
  path: 'chains',
  summary: 'Answers a chain, whose last link has no next.',
  body: Chain,
  responses: { 200: { schema: Chain } },
  handle: ({ body }) => ok(body),
});

const names = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 } as const;

const writeNames = operation({
  method: 'POST',
  path: 'names',
  summary: 'Answers a list.',
  body: names,
  responses: { 200: { schema: names } },
  handle: ({ body }) => ok(body),
});

export const bodies: Controller = {
  name: 'Bodies',
  path: 'api/bodies',
  operations: [writeTexts, writeNumbers, writeLists, writeDrawing, writeShape, writeTree, writeChain, writeNames],
};
