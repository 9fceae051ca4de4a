/** Tasks in lists: a path with parameters in front of every operation, Location, ETag, and headers of a reply. */
import { randomUUID } from 'node:crypto';
import { entityTag } from '../../../src/http.ts';
import type { PropertyNaming } from '../../../src/index.ts';
import { badRequest, controller, created, noContent, ok, schema } from '../../../src/index.ts';
import {
  itemHeaders,
  itemResponses,
  missingItem,
  RepresentedCollection,
  refusedChange,
  removeItem,
  replaceItem,
} from '../../../src/plugins/collection/collection.ts';

const Task = schema('Task', {
  type: 'object',
  required: ['text'],
  properties: {
    id: { type: 'string', format: 'uuid', readOnly: true },
    list: { type: 'integer', format: 'int32', readOnly: true },
    text: { type: 'string', minLength: 1 },
    due: { type: 'string', format: 'date', 'x-nullable': true },
    isDone: { type: 'boolean', default: false },
  },
});

const total = { 'X-Total': { type: 'string', description: 'How many tasks there are', always: true } } as const;

/** The controller of lists that hold at most three tasks each. */
export function tasks(naming: PropertyNaming) {
  const lists = new Map<number, RepresentedCollection<typeof Task>>();
  const listOf = (list: number) => {
    const known = lists.get(list) ?? new RepresentedCollection(Task, naming, { maxItems: 3 });
    lists.set(list, known);
    return known;
  };
  return controller({
    name: 'Tasks',
    path: 'api/lists/{list:int}/tasks',
    operations(operation) {
      const readAll = operation({
        method: 'GET',
        path: '',
        summary: 'Lists the tasks of a list.',
        parameters: { list: 'The number of the list.' },
        responses: {
          200: { schema: { type: 'array', items: Task }, headers: { ...itemHeaders.list, ...total } },
          ...itemResponses.list,
          304: { ...itemResponses.list[304], headers: { ...itemHeaders.list, ...total } },
        },
        handle({ parameters: { list } }) {
          const { size } = listOf(list);
          return { ...ok(listOf(list).list()), headers: { 'X-Total': String(size) } };
        },
      });

      const read = operation({
        method: 'GET',
        path: '{id:guid}',
        summary: 'Returns one task.',
        produces: ['application/json', 'text/json'],
        responses: { 200: { schema: Task, headers: itemHeaders.one }, ...itemResponses.read },
        handle({ parameters: { list, id } }) {
          const task = listOf(list).get(id);
          return task === undefined ? missingItem(id) : ok(task);
        },
      });

      const create = operation({
        method: 'POST',
        path: '',
        summary: 'Adds a task.',
        body: Task,
        responses: {
          201: { description: 'The new task', schema: Task, location: read, headers: itemHeaders.created },
          ...itemResponses.create,
        },
        handle({ body, parameters: { list } }) {
          const id = randomUUID();
          const value = { ...body, id, list };
          return created(listOf(list).add(id, value), read, { list: String(list), id });
        },
      });

      const replace = operation({
        method: 'PUT',
        path: '{id:guid}',
        summary: 'Replaces a task.',
        body: Task,
        responses: {
          204: { headers: itemHeaders.one },
          ...itemResponses.change,
          400: { description: 'If the task was done' },
        },
        handle({ context, body, parameters: { list, id } }) {
          const refused = refusedChange(listOf(list), id, context);
          if (refused !== undefined) return refused;
          if (body.isDone && body.due !== null) return badRequest('A task that is done is not due');
          const replacement = { key: id, value: { ...body, id, list } };
          return replaceItem(listOf(list), replacement, context, ({ version }) => noContent(entityTag(version)));
        },
      });

      const update = operation({
        method: 'PATCH',
        path: '{id:guid}',
        summary: 'Changes the text of a task.',
        body: { type: 'object', required: ['text'], properties: { text: { type: 'string', minLength: 1 } } },
        bodyParameter: { name: 'change' },
        responses: { 200: { schema: Task, headers: itemHeaders.one }, ...itemResponses.change },
        handle({ context, body, parameters: { list, id } }) {
          const replacement = { key: id, value: { id, list, due: null, isDone: false, ...body } };
          return replaceItem(listOf(list), replacement, context, (task) => ({
            ...ok(task),
            headers: { ETag: entityTag(task.version) },
          }));
        },
      });

      const remove = operation({
        method: 'DELETE',
        path: '{id:guid}',
        summary: 'Deletes a task.',
        responses: { 204: {}, ...itemResponses.remove },
        handle: ({ context, parameters: { list, id } }) => removeItem(listOf(list), id, context),
      });

      return [readAll, read, create, replace, update, remove];
    },
  });
}
