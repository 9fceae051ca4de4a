/** Items in an SQLite file: what every store does, and what a file has beside (D83). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  application,
  CollectionFull,
  HttpProblem,
  SqliteStore,
  type SqliteStoreOptions,
  type TodoItem,
  todo,
  todoSchema,
  verification,
} from '../../../src/index.ts';
import { noSqlite } from '../../support/lasting-stores.ts';
import { logged } from '../../support/serve.ts';
import { storeConformance } from '../../support/store-conformance.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { DatabaseSync } from './database.ts';

type Items = SqliteStore<ReturnType<typeof todoSchema>>;

const folder = temporaryFolder({});
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

function opened(options: Partial<SqliteStoreOptions> = {}): Items {
  const store = new SqliteStore(todoSchema(), { file: newFile(), synchronous: 'normal', ...options });
  store.open();
  return store;
}

const item = (key: string, name: string | null = key): TodoItem => ({ key, name, isComplete: false });
const keysOf = async (store: Items): Promise<string[]> => {
  const list = store.list();
  const text = 'body' in list ? String(list.body) : Buffer.concat(await list.stream().toArray()).toString();
  return (JSON.parse(text) as TodoItem[]).map(({ key }) => key!);
};

describe('D83 – items in an SQLite file', { skip: noSqlite }, () => {
  storeConformance({ name: 'a file', make: opened, makeFull: () => opened({ maxItems: 1, maxBytes: 65_536 }) });

  test('closed and opened again → the same items in order, with the same versions', async () => {
    const file = newFile();
    const first = opened({ file });
    for (const key of ['c', 'a', 'b']) first.add(key, item(key));
    first.replace('a', item('a', 'changed'));
    first.remove('b');
    const before = [first.list(), first.get('a'), first.get('c')];
    first.close();
    const second = opened({ file });
    assert.deepEqual([second.list(), second.get('a'), second.get('c')], before);
    second.add('d', item('d'));
    assert.deepEqual(await keysOf(second), ['c', 'a', 'd']);
    assert.equal(second.size, 3);
    second.close();
  });

  test('opened in another naming → other names and other versions; a change with the version goes through', () => {
    const file = newFile();
    const camel = opened({ file });
    const { version } = camel.add('a', item('a'));
    camel.close();
    const pascal = opened({ file, naming: 'PascalCase' });
    const kept = pascal.get('a')!;
    assert.equal(kept.body, '{"Key":"a","Name":"a","IsComplete":false}');
    assert.notEqual(kept.version, version);
    assert.equal(pascal.replace('a', item('a', 'b'), version), undefined);
    assert.equal(pascal.replace('a', item('a', 'b'), kept.version)?.body, '{"Key":"a","Name":"b","IsComplete":false}');
    pascal.close();
  });

  test('a backup is restored and changed → no version of before comes back', () => {
    const file = newFile();
    const backup = newFile();
    const first = opened({ file });
    first.add('a', item('a'));
    new DatabaseSync(file).exec(`VACUUM INTO '${backup}'`);
    const lost = first.replace('a', item('a', 'lost'))!.version;
    first.close();
    const restored = opened({ file: backup });
    assert.equal(restored.get('a')?.body, '{"key":"a","name":"a","isComplete":false}');
    assert.notEqual(restored.replace('a', item('a', 'other'))!.version, lost);
    restored.close();
  });

  test('a store is new → the first item is added once, also after it was removed and after a restart', async () => {
    const file = newFile();
    const store = opened({ file });
    store.seed('first', item('first'));
    store.seed('second', item('second'));
    assert.deepEqual(await keysOf(store), ['first']);
    store.remove('first');
    store.close();
    const again = opened({ file });
    again.seed('third', item('third'));
    assert.deepEqual(await keysOf(again), []);
    again.close();
  });

  test('a store that has had another item → no first item is added', async () => {
    const store = opened();
    store.add('a', item('a'));
    store.remove('a');
    store.seed('first', item('first'));
    assert.deepEqual(await keysOf(store), []);
  });

  test('2,500 items → a stream without a version, in pages; changes meanwhile are no harm', async () => {
    const store = opened();
    for (let at = 0; at < 2500; at++) store.add(`k${at}`, item(`k${at}`));
    const list = store.list();
    assert.ok('stream' in list);
    assert.deepEqual([list.length, list.version], [undefined, undefined]);
    const iterator = list.stream()[Symbol.asyncIterator]();
    const chunks = [(await iterator.next()).value as Buffer];
    for (let at = 0; at < 2500; at += 2) store.remove(`k${at}`);
    store.add('new', item('new'));
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) chunks.push(next.value);
    const keys = (JSON.parse(Buffer.concat(chunks).toString()) as TodoItem[]).map(({ key }) => key!);
    assert.equal(new Set(keys).size, keys.length, 'an item that is there twice');
    for (let at = 1; at < 2500; at += 2) assert.ok(keys.includes(`k${at}`), `k${at}`);
    assert.deepEqual(keys.slice(-2), ['k2499', 'new']);
  });

  test('one long name after another → a page ends with the one that fills it', async () => {
    const store = opened();
    for (let at = 0; at < 20; at++) store.add(`k${at}`, item(`k${at}`, 'x'.repeat(300_000)));
    assert.deepEqual(
      await keysOf(store),
      Array.from({ length: 20 }, (_, at) => `k${at}`),
    );
  });

  test('wrong data beside right ones → skipped with one warning; it can be replaced and removed', async () => {
    const file = newFile();
    const store = opened({ file });
    for (const key of ['a', 'b', 'c']) store.add(key, item(key));
    const other = new DatabaseSync(file);
    other.exec(`UPDATE items SET value = 'x' WHERE key IN ('a', 'b'); UPDATE list SET version = 'changed'`);
    other.close();
    assert.deepEqual(await keysOf(store), ['c']);
    assert.equal(store.get('a'), undefined);
    assert.equal(logged.splice(0).length, 1);
    assert.ok(store.replace('a', item('a')));
    assert.ok(store.remove('b'));
    assert.deepEqual(await keysOf(store), ['a', 'c']);
  });

  test('the file has reached its limit → CollectionFull, reading goes on; there is room after a removal', async () => {
    const store = opened({ maxBytes: 65_536 });
    const name = 'x'.repeat(3000);
    let added = 0;
    assert.throws(() => {
      for (; added < 100; added++) store.add(`k${added}`, item(`k${added}`, name));
    }, CollectionFull);
    assert.ok(added > 5, String(added));
    assert.equal((await keysOf(store)).length, added);
    assert.equal(store.size, added);
    assert.ok(store.remove('k0'));
    assert.ok(store.add('new', item('new')));
  });

  test('another program holds the file for longer than half a second → 503 with Retry-After, reading goes on', () => {
    const file = newFile();
    const store = opened({ file });
    store.add('a', item('a'));
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    assert.throws(
      () => store.add('b', item('b')),
      (error) =>
        error instanceof HttpProblem && error.status === 503 && error.extra.headers?.['Retry-After'] !== undefined,
    );
    assert.ok(store.get('a'));
    other.exec('ROLLBACK');
    assert.ok(store.add('b', item('b')));
    other.close();
  });

  test('a store that is not open → an error with the remedy; open and close may be called twice', () => {
    const store = new SqliteStore(todoSchema(), { file: newFile() });
    assert.throws(() => store.get('a'), /^Error: Cannot use the store: it is not open; start the application/);
    store.open();
    store.open();
    store.check();
    store.close();
    store.close();
    assert.throws(() => store.check(), /it is not open/);
  });

  test('the disk is full → 507 with Retry-After for every change, reading goes on; then there is room again', async (t) => {
    const disk = smallDisk(t);
    if (disk === undefined) return t.skip('a disk of 400 KB can be mounted by root alone');
    const store = new SqliteStore(todoSchema(), { file: join(disk, 'todo.db') });
    const { plugin, verify } = verification('camelCase');
    const app = application([plugin, todo({ store })], { verify });
    await app.start();
    const ask = async (method: string, path: string, json?: object): Promise<Response> => {
      const reply = await app.request(path, { method, ...(json && { json }) });
      if (reply.status === 507) assert.equal(reply.headers.get('Retry-After'), '60');
      return reply;
    };
    const made: string[] = [];
    for (let status = 201; status === 201; ) {
      const reply = await ask('POST', '/api/todo', { name: 'x'.repeat(2000) });
      ({ status } = reply);
      if (status === 201) made.push(reply.headers.get('Location')!);
      else assert.equal(status, 507);
    }
    assert.ok(made.length > 5);
    const [path] = made;
    const key = path!.split('/').at(-1)!;
    assert.equal((await ask('PUT', path!, { key, name: 'y'.repeat(2000) })).status, 507);
    assert.equal((await ask('DELETE', path!)).status, 507);
    assert.equal((await ask('GET', path!)).status, 200);
    assert.equal(((await (await ask('GET', '/api/todo')).json()) as unknown[]).length, made.length + 1);
    spawnSync('mount', ['-o', 'remount,size=4m', disk]);
    assert.equal((await ask('DELETE', path!)).status, 204);
    assert.equal((await ask('POST', '/api/todo', { name: 'there is room' })).status, 201);
    await app.stop();
  });
});

/** A disk of its own in memory, of 400 KB; undefined where this user cannot have one. */
function smallDisk(t: TestContext): string | undefined {
  const disk = join(folder, `disk${files++}`);
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', disk]).status !== 0) return undefined;
  t.after(() => spawnSync('umount', ['-l', disk]));
  return disk;
}
