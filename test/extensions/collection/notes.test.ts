/** A plugin of notes over a collection: listing, creating, conditions and a full store (D8, D54, limits). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { verification } from '../../../src/testing.ts';
import { answerOf } from '../../support/answer-of.ts';
import { notes } from './notes.ts';

const served = application([verification(), notes({ maxItems: 2 })]);

const post = (body: object) =>
  answerOf(served, {
    method: 'POST',
    path: '/notes',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('collection – a plugin of notes → creates, reads, lists, answers 304 and 412, is full, and deletes', async () => {
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

  const remove = (tag: string) => answerOf(served, { method: 'DELETE', path: location, headers: { 'If-Match': tag } });
  assert.equal((await remove('"other"')).status, 412);
  assert.equal((await remove(etag)).status, 204);
  assert.equal((await answerOf(served, { path: '/notes' })).body, `[${second.body}]`);
  assert.equal((await post({ text: 'three' })).status, 201);
});
