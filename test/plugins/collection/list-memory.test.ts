/** The memory of a long list while slow clients read it and its items change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HttpService } from '../../../src/core/server/service.ts';
import { application } from '../../../src/index.ts';
import { RepresentedCollection } from '../../../src/plugins/collection/collection.ts';
import { type TodoItem, todo, todoSchema } from '../../../src/plugins/todo/todo.ts';
import { Client } from '../../support/ask.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { serveService } from '../../support/serve.ts';
import { todoItem } from '../../support/todo-item.ts';
import { until } from '../../support/until.ts';

const itemOf = (key: string, name: string): TodoItem => todoItem({ key, name });

test('limits – 40 slow readers of 100,000 items while every item changes → below twice the memory of the items', async (t) => {
  const store = new RepresentedCollection(todoSchema(), 'camelCase');
  const before = memoryInUse();
  for (let at = 0; at < 100_000; at++) store.add(`k${at}`, itemOf(`k${at}`, 'before'.padEnd(100)));
  const items = memoryInUse() - before;
  const { port, service } = await serveService(t, new HttpService(application([todo({ store })])));
  const readers = Array.from({ length: 40 }, () => new Client(port, { reads: false }));
  for (const reader of readers) await reader.send({ target: '/api/todo', headers: { Connection: 'close' } });
  const isSending = (): boolean =>
    [...service.connections].filter(({ socket }) => socket.writableLength > 0).length === readers.length;
  await until(isSending, 'a chunk of the list is on the way to each reader', 30_000);
  for (let at = 0; at < 100_000; at++) store.replace(`k${at}`, itemOf(`k${at}`, 'after'.padEnd(100)));
  const grown = memoryInUse() - before;
  assert.ok(grown < 2 * items, `${grown} bytes; the items take ${items}`);
  const [first, ...others] = readers;
  for (const other of others) other.destroy();
  first!.read();
  const [answer] = await first!.answers();
  assert.ok((answer!.json() as TodoItem[]).every(({ name }) => name!.startsWith('before')));
});
