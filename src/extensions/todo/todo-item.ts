/** Declares the one resource of the service (§2.1), in both variants of its model (D11), and its texts. */
import { type Infer, schema } from '../../index.ts';
import { type PropertyNaming, wireName } from '../../operations.ts';

/** `base`: the name may be missing and is null then (D5). `annotated`: a body without a name is refused. */
export type ModelVariant = 'base' | 'annotated';

/** The key in the examples of path and body, so that a PUT of them is refused by nothing but its absence. */
export const EXAMPLE_KEY = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const key = {
  type: 'string',
  description: 'Made by the service. PUT needs that of the path; POST and PATCH ignore it.',
  example: EXAMPLE_KEY,
} as const;
const name = { type: 'string', description: 'The title of the item.', example: 'Buy milk' } as const;
const isComplete = { type: 'boolean', description: 'Whether the item is done.', default: false } as const;

const base = schema('TodoItem', {
  type: 'object',
  properties: { key, name: { ...name, 'x-nullable': true }, isComplete },
});

/** The schema of an item. */
export type TodoSchema = typeof base;

/** An item. A store is always given its `key`; a body has one only when the client sent it. */
export type TodoItem = Infer<TodoSchema>;

const annotated = schema('TodoItem', {
  type: 'object',
  required: ['name'],
  properties: { key, name, isComplete },
});

/** The schema of a variant. Handlers are typed by the base schema: every annotated item is a base item too. */
export const todoSchema = (variant: ModelVariant = 'base'): TodoSchema =>
  variant === 'annotated' ? (annotated as unknown as TodoSchema) : base;

/** What the description says of the operations (§2.2), in the casing of the payloads. */
export function todoTexts(variant: TodoSchema, naming: PropertyNaming) {
  const sent = (member: keyof TodoItem): string => `\`${wireName(member, naming)}\``;
  const absent =
    'required' in variant
      ? `A body without ${sent('name')} is refused; an absent ${sent('isComplete')} becomes false.`
      : `An absent ${sent('name')} becomes null, an absent ${sent('isComplete')} false.`;
  return {
    list: {
      summary: 'Lists every item.',
      remarks: 'The items are in order of creation; one that is replaced or updated keeps its place.',
    },
    read: { summary: 'Returns one item.', remarks: 'Keys are compared exactly, with their case.' },
    create: { summary: 'Creates an item.', remarks: `The service makes the ${sent('key')}. ${absent}` },
    replace: {
      summary: 'Replaces one item.',
      remarks: `The body is the whole item, and its ${sent('key')} has to be that of the path. ${absent}`,
    },
    refused: {
      description: 'If the body is absent, is not JSON or does not fit its schema, or its key is not that of the path',
    },
    update: { summary: 'Updates one item.', remarks: `The body is stored whole, under the key of the path. ${absent}` },
    remove: { summary: 'Deletes one item.', remarks: 'A second DELETE of the same key is answered with 404.' },
  } as const;
}
