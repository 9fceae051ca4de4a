/** The six operations on items, in the order of the specification's table (§4.1). */
import {
  type Answer,
  badRequest,
  created,
  insufficientStorage,
  noContent,
  notFound,
  ok,
  preconditionFailed,
} from '../api/operation/answers.ts';
import type { Controller } from '../api/operation/controller.ts';
import { operation } from '../api/operation/operation.ts';
import type { PropertyNaming } from '../api/schema/property-naming.ts';
import { sentPointer } from '../api/schema/sent-pointer.ts';
import { matches, noneMatch } from '../http/headers/conditional.ts';
import { entityTag } from '../http/headers/entity-tag.ts';
import type { Context } from '../http/message/context.ts';
import type { StoredItem } from './stored-item.ts';
import { type ModelVariant, type TodoItem, todoItem } from './todo-item.ts';
import { StoreFull, type TodoStore } from './todo-store.ts';

const always = (description: string) => ({ type: 'string', description, always: true }) as const;
const etag = { ETag: always('Names this state of the item; send it in If-Match or If-None-Match') } as const;
const etagIfExact = {
  ETag: { type: 'string', description: 'Names this state of the item; sent if it is stored as it was sent' },
} as const;
const listTag = { ETag: always('Names this state of the list; send it in If-Match or If-None-Match') } as const;
const location = { Location: always('URI of the new item') } as const;
const retryAfter = { 'Retry-After': always('Seconds to wait before the next try') } as const;
const refusedBody = {
  413: { description: 'If the body is larger than the limit' },
  415: { description: 'If the body is not JSON in UTF-8' },
  507: { description: 'If the store is full', headers: retryAfter },
} as const;
const unchanged = { 304: { description: 'If it is what If-None-Match names', headers: etag } } as const;
const conflict = { 412: { description: 'If the item is not what If-Match names' } } as const;
const id = { id: 'The key of the item.' } as const;
const bodyParameter = { name: 'item', description: 'The item.' } as const;

/** The controller over a store. */
export function todoController(store: TodoStore, variant: ModelVariant, naming: PropertyNaming): Controller {
  const TodoItem = todoItem(variant);
  const missing = (key: string): Answer<404, never> => notFound(`No item has the key "${key}"`);

  const readOne = operation({
    method: 'GET',
    path: '{id}',
    summary: 'Returns one item.',
    parameters: id,
    responses: { 200: { schema: TodoItem, headers: etag }, ...unchanged, 404: {}, ...conflict },
    handle({ values }) {
      const item = store.get(values.id);
      return item === undefined ? missing(values.id) : ok<TodoItem>(store.read(item));
    },
  });

  return {
    name: 'Todo',
    path: 'api/todo',
    operations: [
      operation({
        method: 'GET',
        path: '',
        summary: 'Lists every item.',
        produces: ['text/plain', 'application/json', 'text/json'],
        responses: {
          200: { schema: { type: 'array', items: TodoItem }, headers: listTag },
          304: { description: 'If it is what If-None-Match names', headers: listTag },
          412: { description: 'If the list is not what If-Match names' },
        },
        handle: () => ok(store.list()),
      }),
      readOne,
      operation({
        method: 'POST',
        path: '',
        summary: 'Creates an item.',
        body: TodoItem,
        bodyParameter,
        responses: {
          201: {
            description: 'Returns the newly created item',
            schema: TodoItem,
            location: readOne,
            headers: { ...location, ...etag },
          },
          400: { description: 'If the item is null' },
          ...refusedBody,
        },
        handle: ({ body }) =>
          unlessFull(() => {
            const item = store.add(body);
            return created<TodoItem>(store.once(item), readOne, { id: item.key });
          }),
      }),
      operation({
        method: 'PUT',
        path: '{id}',
        summary: 'Replaces one item.',
        parameters: id,
        body: TodoItem,
        bodyParameter,
        responses: { 204: { headers: etagIfExact }, 400: {}, 404: {}, ...conflict, ...refusedBody },
        handle({ context, values, body, text }) {
          if (body.key !== values.id) {
            const where = { pointer: sentPointer(text, ['key'], naming), detail: `Expected "${values.id}"` };
            return badRequest('The key in the body is not the id in the path', [where]);
          }
          return replace(context, values.id, body, text);
        },
      }),
      operation({
        method: 'PATCH',
        path: '{id}',
        summary: 'Updates one item.',
        parameters: id,
        body: TodoItem,
        bodyParameter,
        responses: { 204: { headers: etag }, 400: {}, 404: {}, ...conflict, ...refusedBody },
        handle: ({ context, values, body }) => replace(context, values.id, body),
      }),
      operation({
        method: 'DELETE',
        path: '{id}',
        summary: 'Deletes one item.',
        parameters: id,
        responses: { 204: {}, 404: {}, ...conflict },
        handle({ context, values }) {
          const item = store.get(values.id);
          if (item === undefined) return missing(values.id);
          if (!isAsExpected(context, item)) return changed();
          store.remove(item);
          return noContent();
        },
      }),
    ],
  };

  /**
   * Look-up, condition and change in one step, after the body has come in: no other request can be between them (D4). The answer has
   * the tag of what is stored. Where `text` is given, that of a PUT, it has none unless the text is stored as it was sent (D38).
   */
  function replace(context: Context, key: string, body: TodoItem, text?: string): Answer<204 | 404 | 412 | 507, never> {
    const item = store.get(key);
    if (item === undefined) return missing(key);
    if (!isAsExpected(context, item)) return changed();
    return unlessFull(() => {
      store.replace(item, body);
      // RFC 9110 §9.3.4: a text that came under a content coding is not what was sent.
      const isExact =
        text === undefined || (store.isSentAs(item, text) && context.headers['content-encoding'] === undefined);
      return isExact ? noContent(entityTag(item.version)) : noContent();
    });
  }
}

/** `If-Match`, and the `If-None-Match` that forbids what it names (RFC 9110 §13.2.2). */
function isAsExpected({ headers }: Context, item: StoredItem): boolean {
  const ifMatch = headers['if-match'],
    ifNoneMatch = headers['if-none-match'];
  if (ifMatch === undefined && ifNoneMatch === undefined) return true;
  const current = entityTag(item.version);
  return matches(ifMatch, current) && noneMatch(ifNoneMatch, current);
}

const changed = (): Answer<412, never> =>
  preconditionFailed('The item is not what If-Match or If-None-Match asks for; read it again');

function unlessFull<A>(action: () => A): A | Answer<507, never> {
  try {
    return action();
  } catch (error) {
    if (error instanceof StoreFull) return { ...insufficientStorage(error.message), headers: { 'Retry-After': '60' } };
    throw error;
  }
}
