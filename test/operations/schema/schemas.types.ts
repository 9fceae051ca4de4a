/**
 * Code that must not compile: `@ts-expect-error` is an error if the line after it compiles.
 *
 * Nothing here runs; `npm run typecheck` reads it.
 */

import { type Infer, noContent, ok, operation, schema } from '../../../src/index.ts';
import type { InferBody } from '../../../src/operations/schema/schema.ts';
import { checked, ownFormat, partial, pick } from '../../../src/operations/schema/schemas.ts';

/** Compiles if the two types are the same. */
const same = <One, Other>(
  _: [One] extends [Other] ? ([Other] extends [One] ? true : 'the second has more') : 'the first has more',
): void => {};

const Note = schema('Note', {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    text: { type: 'string', 'x-nullable': true },
    stars: { type: 'integer', default: 3 },
  },
});

// All of these compile, the exported declarations also with `declaration: true`.
const picked = pick(Note, 'id', 'text');
export const changed = partial(pick(Note, 'title', 'text', 'stars'));
same<Infer<typeof picked>, { readonly id: number; readonly text: string | null }>(true);
same<InferBody<typeof picked>, { readonly text: string | null }>(true);
same<InferBody<typeof changed>, { readonly title?: string; readonly text?: string | null; readonly stars?: number }>(
  true,
);
export const iban = ownFormat('iban', (text) => text.length > 15);
export const Payment = schema('Payment', {
  type: 'object',
  required: ['to'],
  properties: { to: { ...iban, maxLength: 34 } },
});
same<Infer<typeof Payment>, { readonly to: string }>(true);
export const pay = operation({
  method: 'PATCH',
  path: '',
  query: { from: iban },
  body: schema('NoteChange', changed),
  responses: { 200: { schema: pick(Note, 'title') }, 204: {} },
  strictQuery: true,
  handle: ({ body: { title }, query }) => (title === undefined ? noContent() : ok({ title: title + query.from })),
});
checked(Note, ({ title, text }) => (title === text ? { pointer: '/text', detail: 'The same' } : undefined));

// @ts-expect-error A name that is not a property
pick(Note, 'titel');
// @ts-expect-error A schema without properties
partial({ type: 'string' });
// @ts-expect-error A member that the value does not have
checked(Note, ({ titel }) => titel);
// @ts-expect-error A readOnly member, which bodies do not have
checked(Note, ({ id }) => ({ detail: `${id}` }));
// @ts-expect-error A check that returns a promise
checked(Note, async () => undefined);
// @ts-expect-error A check for a value of another type
ownFormat('even', (value: number) => value % 2 === 0);
