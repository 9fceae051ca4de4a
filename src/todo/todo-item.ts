/** Declares the one resource of the service (§2.1), in both variants of its model (D11). */
import type { Infer } from '../api/schema/declaration/infer.ts';
import { schema } from '../api/schema/declaration/schema.ts';

/** `base`: the name may be missing and is null then (D5). `annotated`: a body without a name is refused. */
export type ModelVariant = 'base' | 'annotated';

const base = schema('TodoItem', {
  type: 'object',
  properties: {
    key: { type: 'string' },
    name: { type: 'string', 'x-nullable': true },
    isComplete: { type: 'boolean', default: false },
  },
});

/** The schema of an item. */
export type TodoSchema = typeof base;

/** An item. A store is always given its `key`; a body has one only when the client sent it. */
export type TodoItem = Infer<TodoSchema>;

const annotated = schema('TodoItem', {
  type: 'object',
  required: ['name'],
  properties: { key: { type: 'string' }, name: { type: 'string' }, isComplete: { type: 'boolean', default: false } },
});

/** The schema of a variant. Handlers are typed by the base schema: every annotated item is a base item too. */
export const todoSchema = (variant: ModelVariant = 'base'): TodoSchema =>
  variant === 'annotated' ? (annotated as unknown as TodoSchema) : base;
