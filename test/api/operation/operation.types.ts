/**
 * What must not compile: each `@ts-expect-error` is an error of its own when the line behind it compiles after all.
 *
 * Nothing here runs; `npm run typecheck` reads it. `src/index.ts` is what an embedding user imports.
 */
import {
  type Controller,
  created,
  type Infer,
  noContent,
  notFound,
  ok,
  operation,
  RouteCollection,
  schema,
  text,
} from '../../../src/index.ts';

const Note = schema('Note', {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string' },
    text: { type: 'string', 'x-nullable': true },
    done: { type: 'boolean', default: false },
    stars: { type: 'integer' },
  },
});
const responses = { 200: { schema: Note }, 404: {} } as const;
const note = { id: '1', text: null, done: false };

// All of these compile.
const good = [
  operation({
    method: 'GET',
    path: '{id}',
    parameters: { id: 'Its id' },
    responses,
    handle: ({ values }) => (values.id === '1' ? ok(note) : notFound('none')),
  }),
  operation({
    method: 'GET',
    path: '{id}',
    responses,
    handle: async ({ values }) => (values.id === '1' ? ok({ ...note, stars: 5 }) : notFound('none')),
  }),
  operation({
    method: 'POST',
    path: '',
    body: Note,
    responses: { 201: { schema: Note } },
    handle: ({ body }) => created(body, 'NotesByIdGet', { id: body.id }),
  }),
  operation({
    method: 'DELETE',
    path: 'files/{name}.{ext?}',
    responses: { 204: {} },
    handle({ values }) {
      const ext: string | undefined = values.ext;
      void [values.name.length, ext];
      return noContent();
    },
  }),
];
export const controller: Controller = { name: 'Note', path: 'notes', operations: good };

operation({
  method: 'GET',
  path: '{id}',
  responses,
  // @ts-expect-error A parameter that the path does not have
  handle: ({ values }) => ok({ ...note, id: values.key }),
});

new RouteCollection().map(
  'GET',
  'hello/{name=World}',
  // @ts-expect-error A parameter that the template of a plain route does not have
  (_, { values }) => text(values.nam),
);

operation({
  method: 'GET',
  path: '{id}',
  responses: { 200: { schema: Note } },
  // @ts-expect-error A status that is not declared
  handle: () => notFound('none'),
});

operation({
  method: 'GET',
  path: '{id}',
  responses,
  // @ts-expect-error A body that is not what the schema says
  handle: () => ok({ ...note, done: 'yes' }),
});

operation({
  method: 'PUT',
  path: '{id}',
  body: Note,
  responses: { 204: {} },
  // @ts-expect-error A property that the schema of the body does not have
  handle: ({ body }) => (body.colour === '' ? noContent() : noContent()),
});

operation({
  method: 'GET',
  path: '{id}',
  responses,
  handle: () => ok(note),
  // @ts-expect-error A text for a parameter that is not there
  parameters: { key: 'Its key' },
});

// And what follows from a schema: required ones are there, one with a default or null too, any other may be missing.
const inferred: Infer<typeof Note> = note;
export const ofNote: [string, string | null, boolean, number | undefined] = [
  inferred.id,
  inferred.text,
  inferred.done,
  inferred.stars,
];
// @ts-expect-error A required property that is missing
export const without: Infer<typeof Note> = { text: null, done: false };
operation({
  method: 'GET',
  path: '',
  responses: { 204: {} },
  handle({ body }) {
    // @ts-expect-error A body where no body is declared
    void body.id;
    return noContent();
  },
});
// @ts-expect-error A method that is none
operation({ method: 'FETCH', path: '', responses: { 204: {} }, handle: () => noContent() });
