/** Every keyword of a schema. Each operation answers its body; what is `writeOnly` is not in the answer. */
import { type Controller, ok, operation, schema } from '../../../src/index.ts';
import type { Schema } from '../../../src/operations/schema/schema.ts';
import { read } from '../../support/plain-routes.ts';

/** An operation that answers its body. */
const echo = (path: string, summary: string, schema: Schema) =>
  read(path, {
    method: 'POST',
    summary,
    body: schema,
    responses: { 200: { schema } },
    handle: ({ body }: { readonly body: unknown }) => ok(body),
  });

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
    caption: { oneOf: [{ type: 'string', 'x-nullable': true }, { type: 'boolean' }], 'x-nullable': true },
  },
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

const Chain = schema('Chain', {
  type: 'object',
  required: ['link'],
  properties: { link: { type: 'integer' }, next: { $ref: 'Chain', 'x-nullable': true, description: 'The next link' } },
});

const names = { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 } as const;

export const bodies: Controller = {
  name: 'Bodies',
  path: 'api/bodies',
  operations: [
    writeTexts,
    echo('numbers', 'Answers numbers.', Numbers),
    echo('lists', 'Answers lists and maps.', Lists),
    echo('drawings', 'Answers shapes, each of one of several kinds.', Drawing),
    echo('shapes', 'Answers one shape.', Shape),
    echo('trees', 'Answers a tree, in which there are trees.', Tree),
    echo('chains', 'Answers a chain, whose last link has no next.', Chain),
    echo('names', 'Answers a list.', names),
  ],
};
