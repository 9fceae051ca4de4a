/** A user's plugin of notes over a collection: lists, new notes, conditions and a full store (D8, D54). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import type { Plugin } from '../../../src/core/application/plugin.ts';
import { created, ok } from '../../../src/operations/operation/answers.ts';
import { operation, routesOf } from '../../../src/operations/routes/operation-routes.ts';
import { schema } from '../../../src/operations/schema/schema.ts';
import * as collection from '../../../src/plugins/collection/collection.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';

const Note = schema('Note', {
  type: 'object',
  required: ['text'],
  properties: { id: { type: 'string' }, text: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
});

const Notes = { type: 'array', items: Note } as const;

function notes(maxItems: number): Plugin {
  const items = new collection.RepresentedCollection(Note, 'camelCase', { maxItems });
  const list = operation({
    method: 'GET',
    path: '',
    responses: { 200: { schema: Notes, headers: collection.listEtag }, ...collection.listResponses },
    handle: () => ok(items.list()),
  });
  const read = operation({
    method: 'GET',
    path: '{id}',
    responses: { 200: { schema: Note, headers: collection.itemEtag }, ...collection.readResponses },
    handle({ values: { id } }) {
      const item = items.get(id);
      return item === undefined ? collection.missingItem(id) : ok(item);
    },
  });
  const create = operation({
    method: 'POST',
    path: '',
    body: Note,
    responses: {
      201: { schema: Note, location: read, headers: collection.createdHeaders },
      ...collection.createResponses,
    },
    handle: ({ body }) =>
      collection.unlessFull(() => {
        const id = randomUUID();
        return created(items.add(id, { ...body, id }), read, { id });
      }),
  });
  const replace = operation({
    method: 'PUT',
    path: '{id}',
    body: Note,
    responses: { 200: { schema: Note, headers: collection.itemEtag }, ...collection.changeResponses },
    handle: ({ context, values: { id: key }, body }) =>
      collection.replaceItem(items, { key, value: { ...body, id: key } }, context, ok),
  });
  const remove = operation({
    method: 'DELETE',
    path: '{id}',
    responses: { 204: {}, ...collection.removeResponses },
    handle: ({ context, values: { id } }) => collection.removeItem(items, id, context),
  });
  const operations = [list, read, create, replace, remove];
  return { name: 'notes', routes: routesOf({ name: 'Notes', path: 'notes', operations }) };
}

const served = application([verification(), notes(2)]);

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (body: object) =>
  answerOf(served, { method: 'POST', path: '/notes', headers: JSON_TYPE, body: JSON.stringify(body) });

test('collection – a plugin of notes → creates, reads, lists and deletes notes, with 304, 412 and 507', async () => {
  assert.equal((await answerOf(served, { path: '/notes' })).body, '[]');

  const first = await post({ text: 'one', tags: ['a', 'é'] });
  assert.equal(first.status, 201);
  const { location = '', etag = '' } = first.headers as Record<string, string>;
  const item = await answerOf(served, { path: location });
  assert.equal(item.body, first.body);
  assert.equal(item.headers['etag'], etag);
  assert.deepEqual(JSON.parse(item.body), { id: location.slice('/notes/'.length), text: 'one', tags: ['a', 'é'] });
  const unchanged = await answerOf(served, { path: location, headers: { 'If-None-Match': etag } });
  assert.deepEqual([unchanged.status, unchanged.body], [304, '']);
  assert.equal((await answerOf(served, { path: '/notes/none' })).status, 404);

  const second = await post({ text: 'two' });
  const list = await answerOf(served, { path: '/notes' });
  assert.equal(list.body, `[${first.body},${second.body}]`);
  const listTag = list.headers['etag'] as string;
  assert.equal((await answerOf(served, { path: '/notes', headers: { 'If-None-Match': listTag } })).status, 304);

  const refused = await post({ text: 'three' });
  assert.equal(refused.status, 507);
  assert.equal(refused.headers['retry-after'], '60');
  assert.equal((await answerOf(served, { path: '/notes', headers: { 'If-None-Match': listTag } })).status, 304);

  const replace = (path: string, tag: string) =>
    answerOf(served, { method: 'PUT', path, headers: { ...JSON_TYPE, 'If-Match': tag }, body: '{"text":"uno"}' });
  assert.equal((await replace(location, '"other"')).status, 412);
  assert.equal((await replace('/notes/none', '*')).status, 404);
  const replaced = await replace(location, etag);
  assert.deepEqual([replaced.status, replaced.body], [200, first.body.replace('"one","tags":["a","é"]', '"uno"')]);

  const remove = (tag: string) => answerOf(served, { method: 'DELETE', path: location, headers: { 'If-Match': tag } });
  assert.equal((await remove('"other"')).status, 412);
  assert.equal((await remove(replaced.headers['etag'] as string)).status, 204);
  assert.equal((await answerOf(served, { path: '/notes' })).body, `[${second.body}]`);
  assert.equal((await post({ text: 'three' })).status, 201);
});
