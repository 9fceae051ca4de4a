/** Declares the six operations on to-do items, in the order of the specification (§4.1). */
import { after } from '../../core/http/after.ts';
import type { Controller } from '../../operations/operation/controller.ts';
import { ok } from '../../operations/operation/results.ts';
import { operation } from '../../operations/routes/operation-routes.ts';
import type { PropertyNaming } from '../../operations/schema/names.ts';
import { itemHeaders, itemResponses, missingItem, type Store, storeResponses } from '../collection/collection.ts';
import { changesOfItems } from './todo-changes.ts';
import { keyParameter, type TodoItem, type TodoSchema } from './todo-item.ts';

/** The headers of a list that is streamed if it is long. */
const pagedListEtag = {
  ETag: { type: 'string', description: 'The entity tag of the list; absent if the list is too long' },
} as const;

/** Returns the controller of a store. If `isPaged` is true, the list may be streamed without an ETag. */
export function todoController(
  items: Store<TodoItem>,
  schema: TodoSchema,
  naming: PropertyNaming,
  newKey: () => string,
  isPaged: boolean,
): Controller {
  const list = operation({
    method: 'GET',
    path: '',
    summary: 'Lists every item.',
    remarks: 'The items are in the order of their creation. An item that is replaced or updated keeps its place.',
    produces: ['text/plain', 'application/json', 'text/json'],
    responses: {
      ...storeResponses(items, 'GET'),
      200: { schema: { type: 'array', items: schema }, headers: isPaged ? pagedListEtag : itemHeaders.list },
      ...itemResponses.list,
    },
    // If the items are in memory, an `async` handler would make the GET 6 % slower.
    handle: () => after(items.list(), ok),
  });

  const read = operation({
    method: 'GET',
    path: '{id}',
    summary: 'Returns one item.',
    remarks: 'Keys are case-sensitive.',
    parameters: keyParameter,
    responses: { ...storeResponses(items, 'GET'), 200: { schema, headers: itemHeaders.one }, ...itemResponses.read },
    handle: ({ values: { id } }) => after(items.get(id), (item) => (item === undefined ? missingItem(id) : ok(item))),
  });

  const changes = changesOfItems(items, schema, naming, newKey, read);
  return { name: 'Todo', path: 'api/todo', operations: [list, read, ...changes] };
}
