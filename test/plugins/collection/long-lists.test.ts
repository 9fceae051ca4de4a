/** Long lists: each stream sends the snapshot of the moment it was read, in bounded memory. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { application } from '../../../src/index.ts';
import { RepresentedCollection } from '../../../src/plugins/collection/collection.ts';
import { type TodoItem, type TodoSchema, todo, todoSchema } from '../../../src/plugins/todo/todo.ts';
import { todoItem } from '../../support/todo-item.ts';

const NAME = 'x'.repeat(1000);
const item = (key: string, name = NAME): TodoItem => todoItem({ key, name });

/** A store whose list is streamed. */
function largeStore(count = 10_000, name = NAME): RepresentedCollection<TodoSchema> {
  const store = new RepresentedCollection(todoSchema(), 'camelCase');
  for (let at = 0; at < count; at++) store.add(`k${at}`, item(`k${at}`, name));
  return store;
}

function opened(store: RepresentedCollection<TodoSchema>): { readonly stream: Readable; readonly length: number } {
  const list = store.list();
  assert.ok('stream' in list, 'the list is not streamed');
  return { stream: list.stream(), length: list.length! };
}

const read = async (stream: Readable): Promise<Buffer> => Buffer.from((await stream.toArray()).join(''));
const keysIn = (bytes: Buffer): string[] => (JSON.parse(String(bytes)) as TodoItem[]).map(({ key }) => key!);

describe('limits – a list of 10 MB in memory', () => {
  test('a read → every item in order, with the announced length', async () => {
    const store = largeStore();
    const { stream, length } = opened(store);
    const bytes = await read(stream);
    assert.equal(bytes.length, length);
    const keys = Array.from({ length: 10_000 }, (_, at) => `k${at}`);
    assert.deepEqual(keysIn(bytes), keys);
  });

  test('D121 – a client that stops reading after a chunk → no further chunk is made', async () => {
    const { stream } = opened(largeStore());
    const parts: string[] = [];
    await new Promise<void>((taken) => {
      stream.on('data', (part: string) => {
        parts.push(part);
        if (parts.length < 2) return;
        stream.pause();
        setImmediate(taken);
      });
    });
    assert.equal(parts.length, 2);
    assert.ok(parts.every(({ length }) => length <= 65_536));
    assert.equal(stream.readableLength, 0);
    stream.destroy();
  });

  for (const [what, name] of [
    ['ASCII', 'x'],
    ['letters of three bytes', '€'],
    ['surrogate pairs', '😀'],
  ] as const)
    test(`D50 – a list with items of 300,000 characters, ${what} → chunks of at most 64 KiB, whole`, async () => {
      const store = new RepresentedCollection(todoSchema(), 'camelCase');
      // Two lengths, so that a pair is cut in the middle at one of them.
      const names = [name.repeat(150_000), `a${name.repeat(150_000)}`];
      for (const [at, whole] of names.entries()) store.add(`k${at}`, item(`k${at}`, whole));
      const { stream, length } = opened(store);
      const chunks = (await stream.toArray()).map((chunk) => Buffer.from(chunk as string));
      assert.ok(chunks.every((chunk) => chunk.length <= 65_536));
      const bytes = Buffer.concat(chunks);
      assert.equal(bytes.length, length);
      const found = (JSON.parse(String(bytes)) as TodoItem[]).map((one) => one.name);
      assert.deepEqual(found, names);
    });

  test('items are added, replaced and removed during a read → each reader gets its snapshot', async () => {
    const store = largeStore();
    const first = opened(store);
    const iterator = first.stream[Symbol.asyncIterator]();
    const begin = (await iterator.next()).value as string;
    store.add('new', item('new'));
    for (let at = 0; at < 10_000; at += 100) store.replace(`k${at}`, item(`k${at}`, 'changed'));
    store.remove('k9999');
    const second = opened(store);
    store.remove('k0');
    store.replace('k5000', item('k5000', 'again'));
    const parts = [begin];
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) parts.push(next.value);
    const bytes = Buffer.from(parts.join(''));
    assert.equal(bytes.length, first.length);
    const items = JSON.parse(String(bytes)) as TodoItem[];
    assert.equal(items.length, 10_000);
    assert.ok(items.every(({ name }) => name === NAME));
    const later = await read(second.stream);
    assert.equal(later.length, second.length);
    const changed = JSON.parse(String(later)) as TodoItem[];
    assert.deepEqual([changed.length, changed[0]!.key, changed.at(-1)!.key], [10_000, 'k0', 'new']);
    assert.equal(changed[5000]!.name, 'changed');
  });

  test('over HTTP → ETag and Content-Length; 304 for the ETag, 412 for another', async () => {
    const plugin = todo();
    for (let at = 0; at < 10_000; at++) plugin.store.add(`k${at}`, item(`k${at}`));
    const app = application([plugin]);
    const reply = await app.request('/api/todo');
    const etag = reply.headers.get('ETag')!;
    const bytes = Buffer.from(await reply.arrayBuffer());
    assert.equal(reply.headers.get('Content-Length'), String(bytes.length));
    const status = async (headers: Record<string, string>): Promise<number> => {
      const { status, body } = await app.request('/api/todo', { headers });
      await body?.cancel();
      return status;
    };
    assert.equal(await status({ 'If-None-Match': etag }), 304);
    assert.equal(await status({ 'If-Match': '"other"' }), 412);
    plugin.store.remove('k0');
    assert.equal(await status({ 'If-None-Match': etag }), 200);
  });
});

const MEGABYTE = 'x'.repeat(2 ** 20);

test('limits – ninety streams, each of another snapshot of 100,000 items → the first are destroyed', () => {
  const store = largeStore(100_000, 'a');
  const streams = Array.from({ length: 90 }, () => {
    store.replace('k0', item('k0', 'a'));
    return opened(store).stream.on('error', () => {});
  });
  assert.ok(streams[0]!.destroyed);
  // A reference takes 8 bytes, so 64 MiB hold 83 lists of 100,000.
  assert.ok(streams.filter(({ destroyed }) => !destroyed).length > 70);
  assert.equal(streams.at(-1)!.destroyed, false);
  for (const stream of streams) stream.destroy();
});

test('limits – streams that need too many old texts → those that need the most are destroyed', async () => {
  const store = new RepresentedCollection(todoSchema(), 'camelCase');
  const keys = Array.from({ length: 70 }, (_, at) => `k${at}`);
  for (const key of keys) store.add(key, item(key, MEGABYTE));
  const cut = once(opened(store).stream, 'error');
  for (const key of keys.slice(0, 10)) store.replace(key, item(key));
  const later = opened(store);
  for (const key of keys) store.replace(key, item(key));
  assert.match(String((await cut)[0]), /reads a large list too slowly/);
  assert.equal((await read(later.stream)).length, later.length);
});

test('limits – a stream that has closed → its old texts are no longer counted', async () => {
  const store = new RepresentedCollection(todoSchema(), 'camelCase');
  const keys = Array.from({ length: 70 }, (_, at) => `k${at}`);
  const [former, latter] = [keys.slice(0, 20), keys.slice(20)];
  for (const key of former) store.add(key, item(key, MEGABYTE));
  const { stream } = opened(store);
  for (const key of former) store.replace(key, item(key));
  await read(stream);
  for (const key of latter) store.add(key, item(key, MEGABYTE));
  const next = opened(store);
  for (const key of latter) store.replace(key, item(key));
  assert.equal((await read(next.stream)).length, next.length);
});
