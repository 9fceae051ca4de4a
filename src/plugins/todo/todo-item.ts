/** Declares the schema of a to-do item (§2.1) in its two variants (D11). */
import { absentIfNull, type Infer, schema } from '../../operations/schema/schema.ts';

/** `base`: a missing name becomes null (D5). `annotated`: a body without a name is refused. */
export type ModelVariant = 'base' | 'annotated';

/**
 * The key in the examples. Path and body have the same key, so that a PUT with both examples is valid. The key of
 * `Item1` is not used, because it is random, so the description would differ between processes (D14).
 */
const EXAMPLE_KEY = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

export const keyParameter = {
  id: { type: 'string', description: 'The key of the item.', example: EXAMPLE_KEY },
} as const;

const key = absentIfNull({
  type: 'string',
  description: 'Assigned by the service. In PUT it must equal the key in the path; POST and PATCH ignore it.',
  example: EXAMPLE_KEY,
});
const name = { type: 'string', description: 'The title of the item.', example: 'Buy milk' } as const;
const isComplete = { type: 'boolean', description: 'Whether the item is done.', default: false } as const;

const base = schema('TodoItem', {
  type: 'object',
  properties: { key, name: { ...name, 'x-nullable': true }, isComplete },
});

/** The schema of an item. */
export type TodoSchema = typeof base;

/** An item. A stored item always has a `key`; a body has a `key` only if the client sent it. */
export interface TodoItem extends Infer<TodoSchema> {}

const annotated = schema('TodoItem', { type: 'object', required: ['name'], properties: { key, name, isComplete } });

/** Returns the schema of a variant. The type is the base schema, because every annotated item is a base item too. */
export const todoSchema = (variant: ModelVariant = 'base'): TodoSchema =>
  variant === 'annotated' ? (annotated as unknown as TodoSchema) : base;
