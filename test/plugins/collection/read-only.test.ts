/** Members that are `readOnly` are ignored in a body; the item keeps their stored values (D76). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serializer } from '../../../src/extending.ts';
import type { PropertyNaming } from '../../../src/index.ts';
import { application, ok, operation, operations, routesOf, schema } from '../../../src/index.ts';
import type { InferReply } from '../../../src/operations/schema/schema.ts';
import {
  itemResponses,
  RepresentedCollection,
  replaceItem,
  type Store,
} from '../../../src/plugins/collection/collection.ts';
import { lateStore } from '../../support/late-store.ts';

const Note = schema('Note', {
  type: 'object',
  required: ['id', 'text'],
  properties: {
    id: { type: 'integer', readOnly: true },
    text: { type: 'string' },
    place: { type: 'object', properties: { street: { type: 'string' }, seenAt: { type: 'integer', readOnly: true } } },
  },
  additionalProperties: false,
});
type Note = InferReply<typeof Note>;
const STORED: Note = { id: 7, text: 'a', place: { street: 'x', seenAt: 3 } };

function applicationOf(items: Store<Note>, naming: PropertyNaming) {
  const put = operation({
    method: 'PUT',
    path: '{id}',
    body: Note,
    responses: { 200: { schema: Note }, ...itemResponses.change },
    handle: ({ context, values: { id: key }, body: value }) =>
      replaceItem(items, { key, value, schema: Note, naming }, context, ok),
  });
  const routes = routesOf({ name: 'Notes', path: 'notes', operations: [put] });
  return application([operations({ naming }), { name: 'notes', routes }]);
}

const CASES: readonly (readonly [clause: string, sent: object, stored: object])[] = [
  ['as they were read', { ...STORED, text: 'b' }, { ...STORED, text: 'b' }],
  ['with other values, which are ignored', { id: 8, text: 'b' }, { id: 7, text: 'b' }],
  ['left out', { text: 'b' }, { id: 7, text: 'b' }],
  [
    'in a nested object',
    { text: 'b', place: { street: 'y' } },
    { id: 7, text: 'b', place: { street: 'y', seenAt: 3 } },
  ],
];
for (const naming of ['camelCase', 'PascalCase'] as const)
  for (const isLate of [false, true])
    for (const [clause, sent, stored] of CASES)
      test(`D76 – ${naming}, ${isLate ? 'an asynchronous' : 'a synchronous'} store, readOnly members ${clause} → the item keeps them`, async () => {
        const items = new RepresentedCollection(Note, naming);
        items.add('k', STORED);
        const app = applicationOf(isLate ? lateStore(items) : items, naming);
        const reply = await app.request('/notes/k', { method: 'PUT', json: sent });
        assert.equal(reply.status, 200);
        assert.equal(await reply.text(), serializer(Note, naming)(stored as Note));
      });

test('D76 – another process changes readOnly members in between → the item keeps the changed members', async () => {
  const items = new RepresentedCollection(Note, 'camelCase');
  items.add('k', STORED);
  let times = 2;
  const put = { method: 'PUT', json: { text: 'b' } };
  const between: Store<Note> = {
    ...lateStore(items),
    async get(key) {
      const read = { ...items.get(key)! };
      if (times-- > 0) items.replace(key, { ...STORED, id: 100 + times });
      return read;
    },
  };
  const app = applicationOf(between, 'camelCase');
  assert.deepEqual(await (await app.request('/notes/k', put)).json(), { id: 100, text: 'b' });
  assert.equal((await applicationOf(items, 'camelCase').request('/notes/none', put)).status, 404);
});
