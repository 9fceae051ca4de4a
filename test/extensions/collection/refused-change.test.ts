/** Changes that are refused: an item that is not there, and conditions that do not hold (RFC 9110 §13.2.2). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import type { Context } from '../../../src/core/message/context.ts';
import { entityTag } from '../../../src/core/message/headers/entity-tag.ts';
import { headerOf, withHeaders } from '../../../src/core/message/replies.ts';
import type { Reply } from '../../../src/core/message/reply.ts';
import { refusedChange, replaceItem, unlessFull } from '../../../src/extensions/collection/conditional-change.ts';
import { RepresentedCollection } from '../../../src/extensions/collection/represented-collection.ts';
import { changeResponses } from '../../../src/extensions/collection/responses.ts';
import { todo } from '../../../src/extensions/todo/todo.ts';
import { ok } from '../../../src/operations/operation/answers.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import { contextFor } from '../../../src/testing.ts';
import { Collection, note } from './kinds.ts';

const { inner } = new Collection(note);
const { version } = inner.add('here', note.value('here', 'a', true));
const current = entityTag(version);
const Note = schema('Note', { type: 'object', required: ['text'], properties: { text: { type: 'string' } } });

for (const [key, headers, status] of [
  ['here', {}, undefined],
  ['gone', {}, 404],
  ['gone', { 'if-match': '*' }, 404],
  ['here', { 'if-match': current }, undefined],
  ['here', { 'if-match': '*' }, undefined],
  ['here', { 'if-match': '"other"' }, 412],
  ['here', { 'if-match': `W/${current}` }, 412],
  ['here', { 'if-none-match': current }, 412],
  ['here', { 'if-none-match': '*' }, 412],
  ['here', { 'if-none-match': '"other"' }, undefined],
  ['here', { 'if-match': current, 'if-none-match': current }, 412],
] as const) {
  const asked = JSON.stringify(headers).replaceAll(current.slice(1, -1), 'current');
  test(`D54 – a change of "${key}" with ${asked} → ${status ?? 'allowed'}`, () => {
    assert.equal(refusedChange(inner, key, { headers } as unknown as Context)?.status, status);
  });
}

test('D14 – a change of a full collection → 507 with Retry-After; any other error goes on', () => {
  const { inner: full } = new Collection(note, { maxItems: 0 });
  const { status, problem, headers } = unlessFull(() => full.add('a', note.value('a', 'a', true))) as unknown as Reply;
  assert.deepEqual([status, problem, headers], [507, 'The store holds its 0 items', ['Retry-After', '60']]);
  const { inner: other } = new Collection(note);
  other.add('a', note.value('a', 'a', true));
  assert.throws(() => unlessFull(() => other.add('a', note.value('a', 'b', true))), /Cannot add an item with the key/);
});

test('D14 – another stage sees the 507 of a full collection like any reply', async () => {
  const mark: Plugin = {
    name: 'mark',
    stages: [async (context, next) => withHeaders(await next(context), { 'X-Mark': '1' })],
  };
  const { handler } = application([mark, todo({ maxItems: 1 })]);
  const context = contextFor('/api/todo', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"a"}',
  });
  const reply = await handler(context);
  assert.deepEqual([reply.status, headerOf(reply, 'X-Mark'), headerOf(reply, 'Retry-After')], [507, '1', '60']);
});

test('D54 – a change that answers the item → compiles beside its refusals, and answers each', async () => {
  const collection = new RepresentedCollection(Note, 'camelCase');
  collection.add('here', { text: 'a' });
  const change = operation({
    method: 'PUT',
    path: '{id}',
    body: Note,
    responses: { 200: { schema: Note }, ...changeResponses },
    handle: ({ context, values: { id: key }, body: value }) => replaceItem(collection, { key, value }, context, ok),
  });
  const { handler } = application([
    { name: 'notes', routes: routesOf({ name: 'Notes', path: 'notes', operations: [change] }) },
  ]);
  const asked = async (id: string, headers: Record<string, string> = {}) => {
    const body = '{"text":"b"}';
    const sent = { method: 'PUT', headers: { 'Content-Type': 'application/json', ...headers }, body };
    return (await handler(contextFor(`/notes/${id}`, sent))).status;
  };
  assert.deepEqual(
    [await asked('here'), await asked('gone'), await asked('here', { 'If-Match': '"other"' })],
    [200, 404, 412],
  );
});
