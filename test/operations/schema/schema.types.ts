/**
 * Code that must not compile. An `@ts-expect-error` is itself an error if the next line compiles.
 *
 * Nothing here runs; `npm run typecheck` reads it.
 */
import { type Infer, ok, operation, type Schema, schema } from '../../../src/index.ts';
import type { InferBody, InferReply } from '../../../src/operations/schema/schema.ts';

/** Compiles only if the two types are identical. */
const same = <One, Other>(
  _: [One] extends [Other] ? ([Other] extends [One] ? true : 'the second has more') : 'the first has more',
): void => {};

const Cat = schema('Cat', {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', const: 'cat' }, lives: { type: 'integer' } },
});
const Dog = schema('Dog', {
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string', enum: ['dog', 'puppy'] } },
});
const Node = schema('Node', {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    next: { $ref: 'Node', 'x-nullable': true },
    children: { type: 'array', items: { $ref: 'Node' } },
  },
});
const Account = schema('Account', {
  type: 'object',
  required: ['id', 'password'],
  properties: {
    id: { type: 'integer', readOnly: true },
    password: { type: 'string', writeOnly: true },
    level: { type: 'integer', enum: [1, 2], default: 1 },
  },
});

// All of these compile.
same<Infer<{ type: 'string'; enum: ['a', 'b'] }>, 'a' | 'b'>(true);
same<Infer<{ type: 'integer'; const: 5; 'x-nullable': true }>, 5 | null>(true);
same<
  Infer<{ type: 'object'; additionalProperties: { type: 'number' } }>,
  { readonly [name: string]: number | undefined }
>(true);
same<InferBody<{ type: 'object'; additionalProperties: { type: 'number' } }>, { readonly [name: string]: number }>(
  true,
);
same<InferBody<typeof Cat>, { readonly kind: 'cat'; readonly lives?: number }>(true);
same<InferReply<typeof Cat>, { readonly kind: 'cat'; readonly lives?: number | undefined }>(true);
same<Infer<{ oneOf: [typeof Cat, typeof Dog] }>['kind'], 'cat' | 'dog' | 'puppy'>(true);
same<InferBody<typeof Account>, { readonly password: string; readonly level: 1 | 2 }>(true);
same<InferReply<typeof Account>, { readonly id: number; readonly level: 1 | 2 }>(true);
const tree: Infer<typeof Node> = { name: 'a', next: { name: 'b', next: null, children: [] } };
export const third: string | undefined = tree.next?.next?.children?.[0]?.name;
const named: Infer<{
  allOf: [typeof Cat, { type: 'object'; required: ['name']; properties: { name: { type: 'string' } } }];
}> = { kind: 'cat', name: 'Tom' };
export const both: ['cat', string] = [named.kind, named.name];
const mixed: Infer<{
  type: 'object';
  required: ['a'];
  properties: { a: { type: 'string' } };
  additionalProperties: { type: 'number' };
}> = { a: '', b: 1 };
export const ofMixed: [string, string | number | undefined] = [mixed.a, mixed['b']];
schema('Good', { oneOf: [Cat, Dog], discriminator: { propertyName: 'kind' }, description: 'A pet' });
schema('Good', { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 1, pattern: '^a' } } });
schema('Good', {
  type: 'object',
  properties: {
    a: { type: 'string', 'x-nullable': true, default: null, example: 'a' },
    b: { type: 'integer', format: 'int64', enum: [1, 2], default: 2 },
    c: { type: 'number', format: 'double', const: 1.5 },
  },
});

// Types that are not literal, and conditional types, stay unchanged.
type Given = {
  readonly any: Schema;
  readonly object: Schema & { readonly type: 'object' };
  readonly properties: Readonly<Record<string, Schema>>;
  readonly text: string;
  readonly isOn: boolean;
};
export const ofGiven = ({ any, object, properties, text, isOn }: Given): readonly Schema[] => [
  schema('Good', any),
  schema('Good', object),
  schema('Good', { type: 'object', properties, additionalProperties: any }),
  schema('Good', { type: 'string', default: text, enum: [text] }),
  schema('Good', { type: 'string', ...(isOn && { default: 'a', format: 'date' }) }),
  schema('Good', isOn ? { type: 'string', minLength: 1 } : { type: 'integer', minimum: 1 }),
];

// @ts-expect-error A keyword of another type
schema('Bad', { type: 'string', minimum: 1 });
// @ts-expect-error A keyword of another type, inside
schema('Bad', { type: 'array', items: { type: 'object', properties: { a: { type: 'integer', pattern: 'a' } } } });
// @ts-expect-error A type beside allOf
schema('Bad', { type: 'object', allOf: [Cat] });
// @ts-expect-error An unknown format
schema('Bad', { type: 'string', format: 'hostname' });
// @ts-expect-error A format of another type
schema('Bad', { type: 'integer', format: 'date' });
// @ts-expect-error A constant of another type
schema('Bad', { type: 'string', const: 5 });
// @ts-expect-error A value of another type in enum
schema('Bad', { type: 'string', enum: ['a', 5] });
// @ts-expect-error A default of another type
schema('Bad', { type: 'integer', default: 'x' });
schema('Bad', {
  type: 'object',
  // @ts-expect-error An example of another type, inside
  properties: { a: { type: 'boolean', example: 'yes' } },
});
// @ts-expect-error A value that is not in the enum
export const wrong: Infer<typeof Dog> = { kind: 'cat' };

operation({
  method: 'POST',
  path: '',
  // @ts-expect-error A keyword of another type in a body inside the operation
  body: { type: 'object', properties: { a: { type: 'string', maximum: 1 } } },
  responses: { 200: { schema: Dog } },
  handle: () => ok({ kind: 'dog' }),
});
operation({
  method: 'GET',
  path: '',
  responses: { 200: { schema: { type: 'object', properties: { a: { type: 'string' } } } } },
  // @ts-expect-error A member that the schema does not have
  handle: () => ok({ a: '', zzz: 1 }),
});
operation({
  method: 'GET',
  path: '',
  responses: { 200: { schema: { type: 'array', items: Cat } } },
  // @ts-expect-error A member that the schema does not have, in an item
  handle: () => ok([{ kind: 'cat' as const, barks: true }]),
});
operation({
  method: 'GET',
  path: '',
  responses: { 200: { schema: Account } },
  // @ts-expect-error A writeOnly member
  handle: () => ok({ id: 1, level: 1 as const, password: 'x' }),
});
