/**
 * An operation inside a controller, a plugin or an application has the same types as an operation in a
 * const: no member of its input is `any` or `unknown`. Nothing here runs; `npm run typecheck` reads it.
 */

import {
  application,
  type Controller,
  controller,
  created,
  noContent,
  notFound,
  ok,
  operation,
  type Plugin,
  routesOf,
  schema,
} from '../../../src/index.ts';
import { bytes } from '../../../src/operations/uploads/upload.ts';
import { csv } from '../../../src/shelf/rows/rows.ts';

/** Has a value only if both types are identical. `any` and `unknown` are identical only to themselves. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : never;
const same = <A, B>(_value: A, _is: Same<A, B>): void => undefined;

const Note = schema('Note', {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, text: { type: 'string' } },
});

// The type of an operation contains its declaration.
const read = operation({ method: 'GET', path: '{id:int}', responses: { 204: {} }, handle: () => noContent() });
same<typeof read.path, '{id:int}'>(read.path, true);
same<typeof read.responses, { readonly 204: {} }>(read.responses, true);

// Inside an annotated controller.
export const notes: Controller = {
  name: 'Notes',
  path: 'notes',
  operations: [
    operation({
      method: 'GET',
      path: '{id:int}/{part?}',
      responses: { 200: { schema: Note }, 404: {} },
      handle: ({ parameters: { id, part }, values, query, headers, body }) => {
        same<typeof id, number>(id, true);
        same<typeof part, string | undefined>(part, true);
        same<typeof values.id, string>(values.id, true);
        same<typeof query, undefined>(query, true);
        same<typeof headers, undefined>(headers, true);
        same<typeof body, undefined>(body, true);
        return id === 0 ? notFound('none') : ok({ id });
      },
    }),
    operation({
      method: 'PUT',
      path: '{id:int}/{kind}',
      parameters: { id: 'Its number', kind: { type: 'string', enum: ['a', 'b'] } },
      query: { page: { type: 'integer', default: 1 }, sort: { type: 'string' } },
      headers: { 'X-Tenant': { type: 'string', required: true } },
      body: Note,
      responses: { 201: { schema: Note } },
      handle: ({ parameters: { id, kind }, query, headers, body }) => {
        same<typeof id, number>(id, true);
        same<typeof kind, 'a' | 'b'>(kind, true);
        same<typeof query.page, number>(query.page, true);
        same<typeof query.sort, string | undefined>(query.sort, true);
        same<(typeof headers)['X-Tenant'], string>(headers['X-Tenant'], true);
        same<typeof body.id, number>(body.id, true);
        // @ts-expect-error A property that the schema of the body does not have
        void body.colour;
        return created(body, 'NotesByIdByPartGet', { id: body.id });
      },
    }),
    operation({
      method: 'GET',
      path: '',
      responses: { 200: { schema: { type: 'array', items: Note } } },
      writers: { 'text/csv': csv(['id']), 'text/plain': (all) => all.map(({ id }) => id.toFixed()).join() },
      handle: async () => ok([{ id: 1 }]),
    }),
  ],
};

// Inside a plugin.
export const files: Plugin = {
  name: 'files',
  routes: routesOf(
    {
      name: 'Files',
      path: 'files',
      operations: [
        operation({
          method: 'PUT',
          path: '{id:int}',
          body: bytes('image/png'),
          responses: { 204: {} },
          handle({ parameters: { id }, body }) {
            same<typeof id, number>(id, true);
            same<typeof body, Uint8Array>(body, true);
            return noContent();
          },
        }),
      ],
    },
    controller({
      name: 'Tasks',
      path: 'lists/{list:int}',
      operations: (operationBelow) => [
        operationBelow({
          method: 'GET',
          path: '{id:long}',
          query: { page: { type: 'integer', default: 1 } },
          responses: { 204: {}, 404: {} },
          handle: ({ parameters: { list, id }, values, query, body }) => {
            same<typeof list, number>(list, true);
            same<typeof id, bigint>(id, true);
            same<typeof values.list, string>(values.list, true);
            // @ts-expect-error A parameter that neither path has
            void values.other;
            same<typeof query.page, number>(query.page, true);
            same<typeof body, undefined>(body, true);
            return id === 0n ? notFound('none') : noContent();
          },
        }),
      ],
    }),
  ),
};

// Inside an application, alone and in a list.
export const composed = () =>
  application([
    {
      name: 'several',
      routes: routesOf({
        name: 'Several',
        path: 'several',
        operations: [
          ...(['PUT', 'PATCH'] as const).map((method) =>
            operation({
              method,
              path: '{id:int}',
              body: Note,
              responses: { 200: { schema: Note } },
              handle: ({ parameters: { id }, body }) => {
                same<typeof id, number>(id, true);
                same<typeof body.id, number>(body.id, true);
                return ok({ ...body, id });
              },
            }),
          ),
        ],
      }),
    },
  ]);

// A Location takes the same values as a link.
created(1, read, { id: 1 });
created(1, read, { id: 1n, tags: ['a', 2], part: undefined });
created(1, read, new Map([['id', 1]]));
// @ts-expect-error A value that no link takes
created(1, read, { id: {} });
// @ts-expect-error No values
created(1, read);
