/**
 * Declares the one resource of the service (§2.1), in both variants of its model (D11), and the six operations on it,
 * in the order of the specification's table (§4.1).
 */
import { after } from '../../extending.ts';
import { entityTag } from '../../http.ts';
import { badRequest, type Controller, created, type Infer, noContent, ok, operation, schema } from '../../index.ts';
import { type PropertyNaming, sentPointer, wireName } from '../../operations.ts';
import {
  changeResponses,
  createdHeaders,
  createResponses,
  exactItemEtag,
  itemEtag,
  listEtag,
  listResponses,
  missingItem,
  pagedListEtag,
  readResponses,
  removeItem,
  removeResponses,
  replaceItem,
  type Store,
  unlessFull,
} from '../collection/collection.ts';

/** `base`: the name may be missing and is null then (D5). `annotated`: a body without a name is refused. */
export type ModelVariant = 'base' | 'annotated';

/** The key in the examples of path and body, so that a PUT of them is refused by nothing but its absence. */
const EXAMPLE_KEY = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

const key = {
  type: 'string',
  description: 'Assigned by the service. In PUT it must equal the key in the path; POST and PATCH ignore it.',
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

const annotated = schema('TodoItem', { type: 'object', required: ['name'], properties: { key, name, isComplete } });

/** The schema of a variant. Handlers are typed by the base schema: every annotated item is a base item too. */
export const todoSchema = (variant: ModelVariant = 'base'): TodoSchema =>
  variant === 'annotated' ? (annotated as unknown as TodoSchema) : base;

const parameters = { id: { type: 'string', description: 'The key of the item.', example: EXAMPLE_KEY } } as const;

/** Keeps a byte order mark, which no stored text has. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The controller over a store of items. `isPaged`: its list may be streamed without an ETag. */
export function todoController(
  items: Store<TodoItem>,
  schema: TodoSchema,
  naming: PropertyNaming,
  newKey: () => string,
  isPaged: boolean,
): Controller {
  const sent = (member: keyof TodoItem): string => `\`${wireName(member, naming)}\``;
  const absent =
    'required' in schema
      ? `A body without ${sent('name')} is refused; an absent ${sent('isComplete')} becomes false.`
      : `An absent ${sent('name')} becomes null, an absent ${sent('isComplete')} false.`;
  const body = { body: schema, bodyParameter: { name: 'item', description: 'The item.' } } as const;

  const list = operation({
    method: 'GET',
    path: '',
    summary: 'Lists every item.',
    remarks: 'The items are in the order of their creation. An item that is replaced or updated keeps its place.',
    produces: ['text/plain', 'application/json', 'text/json'],
    responses: {
      200: { schema: { type: 'array', items: schema }, headers: isPaged ? pagedListEtag : listEtag },
      ...listResponses,
    },
    handle: () => after(items.list(), ok),
  });

  const read = operation({
    method: 'GET',
    path: '{id}',
    summary: 'Returns one item.',
    remarks: 'Keys are case-sensitive.',
    parameters,
    responses: { 200: { schema, headers: itemEtag }, ...readResponses },
    handle: ({ values: { id } }) => after(items.get(id), (item) => (item === undefined ? missingItem(id) : ok(item))),
  });

  const create = operation({
    method: 'POST',
    path: '',
    summary: 'Creates an item.',
    remarks: `The service assigns the ${sent('key')}. ${absent}`,
    ...body,
    responses: {
      201: { description: 'Returns the newly created item', schema, location: read, headers: createdHeaders },
      ...createResponses,
    },
    handle: ({ body: { name, isComplete } }) =>
      unlessFull(() => {
        const key = newKey();
        return after(items.add(key, { key, name, isComplete }), (item) => created(item, read, { id: key }));
      }),
  });

  const replace = operation({
    method: 'PUT',
    path: '{id}',
    summary: 'Replaces one item.',
    remarks: `The body is the whole item. Its ${sent('key')} must equal the key in the path. ${absent}`,
    parameters,
    ...body,
    responses: {
      204: { headers: exactItemEtag },
      ...changeResponses,
      400: {
        description:
          'The body is absent, is not JSON or does not match its schema, or its key differs from the key in the path',
      },
    },
    async handle({ context, values: { id }, body }) {
      const text = decoder.decode(await context.body());
      if (body.key !== id) {
        const where = { pointer: sentPointer(text, ['key'], naming), detail: `Expected "${id}"` };
        return badRequest('The key in the body is not the id in the path', [where]);
      }
      return replaceItem(items, { key: id, value: body }, context, (item) => {
        // An ETag in this reply means that the item is stored exactly as it was sent (RFC 9110 §9.3.4, D38).
        const isExact = item.body === text && context.headers['content-encoding'] === undefined;
        return noContent(isExact ? entityTag(item.version) : undefined);
      });
    },
  });

  const update = operation({
    method: 'PATCH',
    path: '{id}',
    summary: 'Updates one item.',
    remarks: `The body replaces the whole item under the key in the path. ${absent}`,
    parameters,
    ...body,
    responses: { 204: { headers: itemEtag }, ...changeResponses },
    handle({ context, values: { id: key }, body: { name, isComplete } }) {
      const value = { key, name, isComplete };
      return replaceItem(items, { key, value }, context, (item) => noContent(entityTag(item.version)));
    },
  });

  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    summary: 'Deletes one item.',
    remarks: 'A second DELETE of the same key is answered with 404.',
    parameters,
    responses: { 204: {}, ...removeResponses },
    handle: ({ context, values: { id } }) => removeItem(items, id, context),
  });

  return { name: 'Todo', path: 'api/todo', operations: [list, read, create, replace, update, remove] };
}
