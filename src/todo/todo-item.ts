/** The one resource of the service (§2.1), in both variants of its model (D11). */
import { type Infer, type Schema, schema } from '../api/schema/schema.ts';

/** `base`: the name may be missing and is null then (D5). `annotated`: it is required, and a body without it is refused. */
export type ModelVariant = 'base' | 'annotated';

const base = schema('TodoItem', {
  type: 'object',
  properties: {
    key: { type: 'string' },
    name: { type: 'string', 'x-nullable': true },
    isComplete: { type: 'boolean', default: false },
  },
});

/** An item as a body brings it: its key is there only when the client sent one. */
export type TodoItem = Infer<typeof base>;

const annotated = schema('TodoItem', {
  type: 'object',
  required: ['name'],
  properties: { key: { type: 'string' }, name: { type: 'string' }, isComplete: { type: 'boolean', default: false } },
} satisfies Schema);

/** The schema of a variant. Handlers are compiled against the base one: what the annotated one lets pass fits it too. */
export const todoItem = (variant: ModelVariant): typeof base =>
  variant === 'annotated' ? (annotated as unknown as typeof base) : base;
