/** A plugin with a list, written as a user would write it: notes. */

import { randomUUID } from 'node:crypto';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { missingItem, removeItem, unlessFull } from '../../../src/extensions/collection/conditional-change.ts';
import {
  type CollectionLimits,
  RepresentedCollection,
} from '../../../src/extensions/collection/represented-collection.ts';
import * as shared from '../../../src/extensions/collection/responses.ts';
import { created, ok } from '../../../src/operations/operation/answers.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';

const Note = schema('Note', {
  type: 'object',
  required: ['text'],
  properties: { id: { type: 'string' }, text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
});

export function notes(limits: CollectionLimits): Plugin {
  const items = new RepresentedCollection(Note, 'camelCase', limits);
  const list = operation({
    method: 'GET',
    path: '',
    responses: { 200: { schema: { type: 'array', items: Note }, headers: shared.listEtag }, ...shared.listResponses },
    handle: () => ok(items.list()),
  });
  const read = operation({
    method: 'GET',
    path: '{id}',
    responses: { 200: { schema: Note, headers: shared.itemEtag }, ...shared.readResponses },
    handle({ values: { id } }) {
      const item = items.get(id);
      return item === undefined ? missingItem(id) : ok(item);
    },
  });
  const create = operation({
    method: 'POST',
    path: '',
    body: Note,
    responses: { 201: { schema: Note, location: read, headers: shared.createdHeaders }, ...shared.createResponses },
    handle: ({ body }) =>
      unlessFull(() => {
        const id = randomUUID();
        return created(items.add(id, { ...body, id }), read, { id });
      }),
  });
  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    responses: { 204: {}, ...shared.removeResponses },
    handle: ({ context, values: { id } }) => removeItem(items, id, context),
  });
  return {
    name: 'notes',
    routes: routesOf({ name: 'Notes', path: 'notes', operations: [list, read, create, remove] }),
  };
}
