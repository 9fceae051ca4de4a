/** The to-do plugin alone: its first item, and the keys of new items. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { application } from '../../../src/core/application/application.ts';
import { todo } from '../../../src/plugins/todo/todo.ts';
import { answerOf } from '../../support/answer-of.ts';
import { listOf } from '../../support/list-of.ts';

test('D12, 1 – a new store → one item named Item1, not complete, with a new key each time', () => {
  const [first = [], second = []] = [todo().store, todo().store].map(listOf);
  assert.deepEqual(
    first.map(({ name, isComplete }: { name: string; isComplete: boolean }) => [name, isComplete]),
    [['Item1', false]],
  );
  assert.notEqual(first[0].key, second[0].key);
});

test('4.1.1 – a new item with a key in its body → a new key, a GUID', async () => {
  const items = todo();
  const served = application([items]).handler;
  const { status, body } = await answerOf(served, {
    method: 'POST',
    path: '/api/todo',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: 'mine', name: 'a' }),
  });
  const { key } = JSON.parse(body);
  assert.equal(status, 201);
  assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(body, items.store.get(key)?.body);
});

test('D38 – a PUT of the exact stored text → an ETag; of any other text → no ETag', async () => {
  const items = todo();
  const served = application([items]).handler;
  const { key } = listOf(items.store)[0];
  const written = items.store.get(key)!.body.replace('Item1', 'b');
  const put = (body: string) =>
    answerOf(served, {
      method: 'PUT',
      path: `/api/todo/${key}`,
      headers: { 'Content-Type': 'application/json' },
      body,
    });
  for (const [text, isExact] of [
    [written, true],
    [written.replace(',', ', '), false],
  ] as const) {
    const { status, headers } = await put(text);
    assert.deepEqual([status, headers['etag'] !== undefined], [204, isExact]);
    assert.equal(items.store.get(key)?.body, written);
  }
});
