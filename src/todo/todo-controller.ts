/** Declares the six operations on to-do items, in the order of the specification's table (§4.1). */
import { randomUUID } from 'node:crypto';
import { missingItem, refusedChange, unlessFull } from '../api/collection/refused-change.ts';
import type { RepresentedCollection } from '../api/collection/represented-collection.ts';
import * as shared from '../api/collection/responses.ts';
import { badRequest, created, noContent, ok } from '../api/operation/answers.ts';
import type { Controller } from '../api/operation/controller.ts';
import { operation } from '../api/operation/operation.ts';
import type { PropertyNaming } from '../api/schema/property-naming.ts';
import { sentPointer } from '../api/schema/sent-pointer.ts';
import { entityTag } from '../http/headers/entity-tag.ts';
import type { TodoSchema } from './todo-item.ts';

type Items = RepresentedCollection<TodoSchema>;

const parameters = { id: 'The key of the item.' } as const;
const bodyParameter = { name: 'item', description: 'The item.' } as const;

/** The controller over a collection of items. */
export function todoController(items: Items, schema: TodoSchema, naming: PropertyNaming): Controller {
  const list = operation({
    method: 'GET',
    path: '',
    summary: 'Lists every item.',
    produces: ['text/plain', 'application/json', 'text/json'],
    responses: { 200: { schema: { type: 'array', items: schema }, headers: shared.listEtag }, ...shared.listResponses },
    handle: () => ok(items.list()),
  });

  const read = operation({
    method: 'GET',
    path: '{id}',
    summary: 'Returns one item.',
    parameters,
    responses: { 200: { schema, headers: shared.itemEtag }, ...shared.readResponses },
    handle({ values: { id } }) {
      const item = items.get(id);
      return item === undefined ? missingItem(id) : ok(item);
    },
  });

  const description = 'Returns the newly created item';
  const create = operation({
    method: 'POST',
    path: '',
    summary: 'Creates an item.',
    body: schema,
    bodyParameter,
    responses: {
      201: { description, schema, location: read, headers: shared.createdHeaders },
      ...shared.createResponses,
    },
    handle: ({ body: { name, isComplete } }) =>
      unlessFull(() => {
        const key = randomUUID();
        return created(items.add(key, { key, name, isComplete }), read, { id: key });
      }),
  });

  const replace = operation({
    method: 'PUT',
    path: '{id}',
    summary: 'Replaces one item.',
    parameters,
    body: schema,
    bodyParameter,
    responses: { 204: { headers: shared.exactItemEtag }, ...shared.changeResponses },
    handle({ context, values: { id }, body, text }) {
      if (body.key !== id) {
        const where = { pointer: sentPointer(text, ['key'], naming), detail: `Expected "${id}"` };
        return badRequest('The key in the body is not the id in the path', [where]);
      }
      const refused = refusedChange(items, id, context);
      if (refused !== undefined) return refused;
      return unlessFull(() => {
        const item = items.replace(id, body, text);
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
    parameters,
    body: schema,
    bodyParameter,
    responses: { 204: { headers: shared.itemEtag }, ...shared.changeResponses },
    handle({ context, values: { id: key }, body: { name, isComplete } }) {
      const refused = refusedChange(items, key, context);
      if (refused !== undefined) return refused;
      return unlessFull(() => noContent(entityTag(items.replace(key, { key, name, isComplete }).version)));
    },
  });

  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    summary: 'Deletes one item.',
    parameters,
    responses: { 204: {}, ...shared.removeResponses },
    handle({ context, values: { id } }) {
      const refused = refusedChange(items, id, context);
      if (refused === undefined) items.remove(id);
      return refused ?? noContent();
    },
  });

  return { name: 'Todo', path: 'api/todo', operations: [list, read, create, replace, update, remove] };
}
