/** Lists of more than 8 MiB: streamed block by block, each as it was when its stream was opened. */
import assert from 'node:assert/strict';
import type { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { BlockList } from '../../../src/extensions/collection/block-list.ts';
import { RepresentedCollection } from '../../../src/extensions/collection/collection.ts';
import { type TodoItem, type TodoSchema, todo, todoSchema } from '../../../src/extensions/todo/todo.ts';
import { application } from '../../../src/index.ts';

const NAME = 'x'.repeat(1000);
const item = (key: string, name = NAME): TodoItem => ({ key, name, isComplete: false });

/** A store whose list is streamed. */
function largeStore(): RepresentedCollection<TodoSchema> {
  const store = new RepresentedCollection(todoSchema(), 'camelCase');
  for (let at = 0; at < 10_000; at++) store.add(`k${at}`, item(`k${at}`));
  return store;
}

function opened(store: RepresentedCollection<TodoSchema>): { readonly stream: Readable; readonly length: number } {
  const list = store.list();
  assert.ok('stream' in list, 'the list is not streamed');
  return { stream: list.stream(), length: list.length! };
}

const read = async (stream: Readable): Promise<Buffer> => Buffer.concat(await stream.toArray());
const keysIn = (bytes: Buffer): string[] => (JSON.parse(String(bytes)) as TodoItem[]).map(({ key }) => key!);

describe('limits – a list of 10 MB in memory', () => {
  test('read → every item in order, with the length that was announced', async () => {
    const store = largeStore();
    const { stream, length } = opened(store);
    const bytes = await read(stream);
    assert.equal(bytes.length, length);
    assert.deepEqual(
      keysIn(bytes),
      Array.from({ length: 10_000 }, (_, at) => `k${at}`),
    );
  });

  test('D121 – its client takes a block and no more → no further block is made', async () => {
    const { stream } = opened(largeStore());
    const blocks: Buffer[] = [];
    await new Promise<void>((taken) => {
      stream.on('data', (chunk: Buffer) => {
        blocks.push(chunk);
        if (blocks.length < 2) return;
        stream.pause();
        setImmediate(taken);
      });
    });
    assert.equal(blocks.length, 2);
    assert.equal(stream.readableLength, 0);
    stream.destroy();
  });

  test('items are added, replaced and removed while it is read → two readers each get what was there', async () => {
    const store = largeStore();
    const first = opened(store);
    const iterator = first.stream[Symbol.asyncIterator]();
    const begin = (await iterator.next()).value as Buffer;
    store.add('new', item('new'));
    for (let at = 0; at < 10_000; at += 100) store.replace(`k${at}`, item(`k${at}`, 'changed'));
    store.remove('k9999');
    const second = opened(store);
    store.remove('k0');
    store.replace('k5000', item('k5000', 'again'));
    const chunks = [begin];
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) chunks.push(next.value);
    const bytes = Buffer.concat(chunks);
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

  test('all items are removed while it is read → the list that was there', async () => {
    const store = largeStore();
    const { stream, length } = opened(store);
    for (let at = 0; at < 10_000; at++) store.remove(`k${at}`);
    assert.equal((await read(stream)).length, length);
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

test('limits – readers that keep more of a changing list than they may → the one that keeps most is cut', async () => {
  const list = new BlockList(130_000);
  const items = ['a', 'b', 'c'].map((letter) => {
    const item = { block: list.open(), body: letter.repeat(60_000), length: 60_000 };
    list.add(item);
    return item;
  });
  const errors: Error[] = [];
  const first = list.stream().on('error', (error) => errors.push(error));
  list.resize(items[0]!, 0);
  assert.equal(first.destroyed, false);
  const second = list.stream();
  list.resize(items[1]!, 0);
  assert.equal(first.destroyed, true);
  assert.equal(String(await read(second)), `[${items.map(({ body }) => body).join(',')}]`);
  assert.match(errors[0]?.message ?? '', /reads a large list too slowly/);
});
