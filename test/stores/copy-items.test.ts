/** `--copy-store FROM TO`: what is copied, and what is refused (D86). */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CollectionFull, SqliteStore, type Store, type TodoItem, todoSchema } from '../../src/index.ts';
import { copyItems } from '../../src/stores/copy-items.ts';
import { CLIENT_FOLDER, noEngine, noSqlite, type RunningEngine, startEngine } from '../support/lasting-stores.ts';
import { MapStore } from '../support/map-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const item = (key: string): TodoItem => ({ key, name: `name of ${key}`, isComplete: false });

/** A store over a `Map` whose values can be read. */
class ReadableStore extends MapStore {
  opened = 0;
  room = Number.POSITIVE_INFINITY;

  open(): void {
    this.opened++;
  }
  close(): void {
    this.opened--;
  }
  override async add(key: string, value: TodoItem) {
    if (this.room-- <= 0) throw new CollectionFull('it is full');
    return super.add(key, value);
  }
  async *values(): AsyncGenerator<TodoItem> {
    const { body } = await this.list();
    yield* JSON.parse(String(body)) as TodoItem[];
  }
}

async function filled(count: number): Promise<ReadableStore> {
  const store = new ReadableStore();
  for (let at = 0; at < count; at++) await store.add(`k${at}`, item(`k${at}`));
  return store;
}
const place = (what: string, store: ReadableStore) => ({ what, store });
const bodyOf = async (store: Store<TodoItem>): Promise<string> => {
  const list = await store.list();
  assert.ok('body' in list);
  return String(list.body);
};

for (const count of [0, 1, 200, 450])
  test(`D86 – ${count} items → copied in their order, both stores are closed`, async () => {
    const [from, to] = [await filled(count), new ReadableStore()];
    assert.equal(await copyItems(place('a', from), place('b', to)), count);
    assert.equal(await bodyOf(to), await bodyOf(from));
    assert.deepEqual([from.opened, to.opened], [0, 0]);
  });

test('D86 – a store that has items → refused, nothing is copied', async () => {
  const [from, to] = [await filled(2), await filled(1)];
  await assert.rejects(copyItems(place('a', from), place('"b"', to)), {
    message: 'Cannot keep items in "b": it has items already; name a store that has none',
    exitCode: 2,
  });
  assert.equal(await bodyOf(to), await bodyOf(await filled(1)));
  assert.deepEqual([from.opened, to.opened], [0, 0]);
});

test('D86 – a store that gets full → an error with the number of items and the remedy', async () => {
  const [from, to] = [await filled(450), new ReadableStore()];
  to.room = 300;
  await assert.rejects(copyItems(place('a', from), place('"b"', to)), {
    message: 'Cannot keep items in "b": the copy ended after 200 items (it is full); remove it and copy again',
    exitCode: 1,
  });
  assert.deepEqual([from.opened, to.opened], [0, 0]);
});

async function valuesOf(store: { values(): AsyncIterable<TodoItem> }): Promise<TodoItem[]> {
  const values: TodoItem[] = [];
  for await (const value of store.values()) values.push(value);
  return values;
}

const run = (...flags: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, ['--import', 'tsx', 'src/main.ts', ...flags], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: CLIENT_FOLDER },
  });

for (const [flags, line] of [
  [
    ['a.db'],
    /^Cannot use --copy-store: it needs two stores; give --copy-store FROM TO, such as todo\.db redis:\/\/host\n$/,
  ],
  [['a.db', '--store-sync', 'normal'], /it needs two stores/],
  [['memory', 'a.db'], /^Cannot use --copy-store "memory": it is in no other process; give a file or redis:\/\/…\n$/],
  [
    ['none.db', 'a.db'],
    /^Cannot use --copy-store "none\.db": there is no such file; name the one that has the items\n$/,
  ],
  [
    ['redis://:secret@h', 'redis://:secret@h'],
    /^Cannot use --copy-store "redis:\/\/…": it is the same store; name another\n$/,
  ],
  [['ftp://h', 'a.db'], /^Cannot use --copy-store "ftp:\/\/…": it is neither a file nor a URL of Redis/],
  [['redis://u:secret@h/x', 'a.db'], /^Cannot use --copy-store "redis:\/\/…": its path is no number of a database/],
  [['redis://h', 'a.db', '--prot', '1'], /^Cannot use the flag "--prot"/],
] as const)
  test(`D86 – --copy-store ${flags.join(' ')} → exit code 2 and one line, no file is made`, () => {
    const { status, stderr } = run('--copy-store', ...flags);
    assert.match(stderr, line);
    assert.equal(status, 2);
    assert.ok(!existsSync(join(ROOT, 'a.db')));
  });

describe('D86 – a file and an engine', { skip: noSqlite || noEngine('redis-server') }, () => {
  const folder = temporaryFolder({});
  let engine: RunningEngine;
  before(async () => {
    engine = await startEngine('redis-server');
  });
  after(() => engine?.stop());

  test('2,500 items from a file to Redis and on to another file → the same items in the same order', async () => {
    const [first, last] = [join(folder, 'first.db'), join(folder, 'last.db')];
    const store = new SqliteStore(todoSchema(), { file: first, synchronous: 'normal' });
    store.open();
    for (let at = 0; at < 2500; at++) store.add(`k${(at * 7) % 2500}`, item(`k${(at * 7) % 2500}`));
    store.close();
    const url = engine.url();
    const there = run('--copy-store', first, url, '--property-naming', 'PascalCase');
    assert.equal(there.stderr, '');
    assert.equal(
      there.stdout,
      `Copied 2500 items from "${first}" to "redis://127.0.0.1:${engine.port}/0${new URL(url).search}"\n`,
    );
    const back = run('--copy-store', url, last);
    assert.deepEqual([back.stderr, back.status], ['', 0]);
    const copy = new SqliteStore(todoSchema(), { file: last });
    for (const one of [store, copy]) one.open();
    assert.deepEqual(await valuesOf(copy), await valuesOf(store));
    // The mark that it has had an item is there as well.
    copy.seed('seeded', item('seeded'));
    assert.equal(copy.size, 2500);
    for (const one of [store, copy]) one.close();
  });

  test('a file that a service has open → refused, the file is named', () => {
    const file = join(folder, 'open.db');
    const store = new SqliteStore(todoSchema(), { file });
    store.open();
    const { status, stderr } = run('--copy-store', file, engine.url());
    assert.match(stderr, /open\.db": another process uses it; stop that one, or name another file\n$/);
    assert.equal(status, 1);
    store.close();
  });
});
