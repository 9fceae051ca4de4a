/** Declares the six operations on to-do items, in the order of the specification's table (§4.1). */

import { after } from '../../extending.ts';
import { entityTag } from '../../http.ts';
import { badRequest, type Controller, created, noContent, ok, operation } from '../../index.ts';
import { type PropertyNaming, sentPointer } from '../../operations.ts';
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
import { EXAMPLE_KEY, type TodoItem, type TodoSchema, todoTexts } from './todo-item.ts';

const parameters = { id: { type: 'string', description: 'The key of the item.', example: EXAMPLE_KEY } } as const;
const bodyParameter = { name: 'item', description: 'The item.' } as const;

/** The controller over a store of items. `isPaged`: its list may be streamed without an ETag. */
export function todoController(
  items: Store<TodoItem>,
  schema: TodoSchema,
  naming: PropertyNaming,
  newKey: () => string,
  isPaged: boolean,
): Controller {
  const texts = todoTexts(schema, naming);
  const etagOfList = isPaged ? pagedListEtag : listEtag;
  const list = operation({
    method: 'GET',
    path: '',
    ...texts.list,
    produces: ['text/plain', 'application/json', 'text/json'],
    responses: { 200: { schema: { type: 'array', items: schema }, headers: etagOfList }, ...listResponses },
    handle: () => after(items.list(), ok),
  });

  const read = operation({
    method: 'GET',
    path: '{id}',
    ...texts.read,
    parameters,
    responses: { 200: { schema, headers: itemEtag }, ...readResponses },
    handle: ({ values: { id } }) => after(items.get(id), (item) => (item === undefined ? missingItem(id) : ok(item))),
  });

  const description = 'Returns the newly created item';
  const create = operation({
    method: 'POST',
    path: '',
    ...texts.create,
    body: schema,
    bodyParameter,
    responses: {
      201: { description, schema, location: read, headers: createdHeaders },
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
    ...texts.replace,
    parameters,
    body: schema,
    bodyParameter,
    responses: { 204: { headers: exactItemEtag }, ...changeResponses, 400: texts.refused },
    handle({ context, values: { id }, body, text }) {
      if (body.key !== id) {
        const where = { pointer: sentPointer(text, ['key'], naming), detail: `Expected "${id}"` };
        return badRequest('The key in the body is not the id in the path', [where]);
      }
      return replaceItem(items, { key: id, value: body, sent: text }, context, (item) => {
        // An ETag in this reply means that the item is stored exactly as it was sent (RFC 9110 §9.3.4, D38).
        const isExact = item.body === text && context.headers['content-encoding'] === undefined;
        return noContent(isExact ? entityTag(item.version) : undefined);
      });
    },
  });

  const update = operation({
    method: 'PATCH',
    path: '{id}',
    ...texts.update,
    parameters,
    body: schema,
    bodyParameter,
    responses: { 204: { headers: itemEtag }, ...changeResponses },
    handle({ context, values: { id: key }, body: { name, isComplete } }) {
      const value = { key, name, isComplete };
      return replaceItem(items, { key, value }, context, (item) => noContent(entityTag(item.version)));
    },
  });

  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    ...texts.remove,
    parameters,
    responses: { 204: {}, ...removeResponses },
    handle: ({ context, values: { id } }) => removeItem(items, id, context),
  });

  return { name: 'Todo', path: 'api/todo', operations: [list, read, create, replace, update, remove] };
}
