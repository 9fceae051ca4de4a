/** Items in an SQLite file: the tests of every store, and tests of the file (D83). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, describe, type TestContext, test } from 'node:test';
import { application, HttpProblem } from '../../../src/index.ts';
import { CollectionFull } from '../../../src/plugins/collection/collection.ts';
import { type TodoItem, todo, todoSchema } from '../../../src/plugins/todo/todo.ts';
import { SqliteStore } from '../../../src/shelf/sqlite/sqlite-store.ts';
import { storeConformance, verification } from '../../../src/testing.ts';
import { ask } from '../../support/ask.ts';
import { noSqlite } from '../../support/lasting-stores.ts';
import { assertTold, logged, serve } from '../../support/serve.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { todoItem } from '../../support/todo-item.ts';
import { DatabaseSync } from './database.ts';

type SqliteStoreOptions = NonNullable<ConstructorParameters<typeof SqliteStore>[1]>;

type Items = SqliteStore<ReturnType<typeof todoSchema>>;

const folder = temporaryFolder({});
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

function opened(options: Partial<SqliteStoreOptions> = {}): Items {
  const store = new SqliteStore(todoSchema(), { file: newFile(), synchronous: 'normal', ...options });
  store.open();
  return store;
}

const item = (key: string, name: string | null = key): TodoItem => todoItem({ key, name });
const keysOf = async (store: Items): Promise<string[]> => {
  const list = await store.list();
  const text = 'body' in list ? String(list.body) : Buffer.concat(await list.stream().toArray()).toString();
  return (JSON.parse(text) as TodoItem[]).map(({ key }) => key!);
};

function backupOf(path: string): string {
  const other = new DatabaseSync(path);
  other.exec(`VACUUM INTO '${path}.backup'`);
  other.close();
  return `${path}.backup`;
}

describe('D83 – items in an SQLite file', { skip: noSqlite }, () => {
  describe('as every store', () => {
    after(() => assertTold(/^The store "[^"]+" is full: /));
    storeConformance({ name: 'a file', make: opened, makeFull: () => opened({ maxItems: 1, maxBytes: 65_536 }) });
  });

  test('closed and opened again → the same items in order, with the same versions; the list has a new version', async () => {
    const file = newFile();
    const first = opened({ file });
    for (const key of ['c', 'a', 'b']) await first.add(key, item(key));
    await first.replace('a', item('a', 'changed'));
    await first.remove('b');
    const before = [await first.get('a'), await first.get('c')];
    const list = await first.list();
    first.close();
    const second = opened({ file });
    assert.deepEqual([await second.get('a'), await second.get('c')], before);
    assert.notEqual((await second.list()).version, list.version);
    await second.add('d', item('d'));
    assert.deepEqual(await keysOf(second), ['c', 'a', 'd']);
    assert.equal(second.size, 3);
    second.close();
  });

  test('opened with another naming → other names and other versions; a change with the new version is accepted', async () => {
    const file = newFile();
    const camel = opened({ file });
    const { version } = await camel.add('a', item('a'));
    camel.close();
    const pascal = opened({ file, naming: 'PascalCase' });
    const stored = (await pascal.get('a'))!;
    assert.equal(stored.body, '{"Key":"a","Name":"a","IsComplete":false}');
    assert.notEqual(stored.version, version);
    assert.equal(await pascal.replace('a', item('a', 'b'), version), undefined);
    assert.equal(
      (await pascal.replace('a', item('a', 'b'), stored.version))?.body,
      '{"Key":"a","Name":"b","IsComplete":false}',
    );
    pascal.close();
  });

  test('a backup is restored and changed → no earlier version is used again', async () => {
    const file = newFile();
    const backup = newFile();
    const first = opened({ file });
    for (const key of ['a', 'b']) await first.add(key, item(key));
    const other = new DatabaseSync(file);
    other.exec(`VACUUM INTO '${backup}'`);
    other.close();
    const lost = [(await first.replace('a', item('a', 'lost')))!.version];
    await first.remove('b');
    lost.push((await first.list()).version!);
    first.close();
    const restored = opened({ file: backup });
    assert.equal((await restored.get('a'))?.body, '{"key":"a","name":"a","isComplete":false}');
    const found = [(await restored.replace('a', item('a', 'other')))!.version];
    await restored.remove('b');
    found.push((await restored.list()).version!);
    for (const version of found) assert.ok(!lost.includes(version), String(version));
    restored.close();
  });

  test('a new store → the first item is added only once, even if it is removed and the store is reopened', async () => {
    const file = newFile();
    const store = opened({ file });
    await store.seed('first', item('first'));
    await store.seed('second', item('second'));
    assert.deepEqual(await keysOf(store), ['first']);
    await store.remove('first');
    store.close();
    const again = opened({ file });
    await again.seed('third', item('third'));
    assert.deepEqual(await keysOf(again), []);
    again.close();
  });

  /** Adds 2,500 items. */
  async function longList(): Promise<Items> {
    const store = opened();
    for (let at = 0; at < 2500; at++) await store.add(`k${at}`, item(`k${at}`));
    return store;
  }
  const streamOf = async (store: Items) => {
    const list = await store.list();
    assert.ok('stream' in list);
    return { version: list.version, stream: list.stream() };
  };
  const textOf = async (stream: Readable): Promise<string> => Buffer.concat(await stream.toArray()).toString();

  test('2,500 items → a stream with a version; changes meanwhile do not change it', async () => {
    const store = await longList();
    const [before, { stream }] = [await streamOf(store), await streamOf(store)];
    const text = await textOf(before.stream);
    const keys = (JSON.parse(text) as TodoItem[]).map(({ key }) => key);
    assert.deepEqual(
      keys,
      Array.from({ length: 2500 }, (_, at) => `k${at}`),
    );
    const iterator = stream[Symbol.asyncIterator]();
    const chunks = [(await iterator.next()).value as Buffer];
    for (let at = 0; at < 2500; at += 2) await store.remove(`k${at}`);
    for (let at = 1; at < 2500; at += 2) await store.replace(`k${at}`, item(`k${at}`, 'changed'));
    for (let at = 2491; at < 2500; at += 2) await store.remove(`k${at}`);
    await store.add('new', item('new'));
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) chunks.push(next.value);
    assert.equal(Buffer.concat(chunks).toString(), text);
    const list = await store.list();
    assert.notEqual(list.version, before.version);
    assert.equal((await keysOf(store)).length, 1246);
  });

  test('streams of several versions → each has the text of its version', async () => {
    const store = await longList();
    const first = await streamOf(store);
    await store.remove('k2400');
    const second = await streamOf(store);
    await store.replace('k2450', item('k2450', 'changed'));
    const third = await streamOf(store);
    await store.remove('k2450');
    const [one, two, three] = await Promise.all([first.stream, second.stream, third.stream].map(textOf));
    assert.match(one!, /"k2400".+"name":"k2450"/);
    assert.match(two!, /"k2399",[^{]+\{"key":"k2401".+"name":"k2450"/);
    assert.match(three!, /"key":"k2450","name":"changed"/);
    assert.equal(new Set([first.version, second.version, third.version]).size, 3);
  });

  test('streams that need too many old texts → destroyed; the changes are made', async () => {
    const store = await longList();
    const long = 'x'.repeat(2 ** 20);
    for (let at = 2400; at < 2440; at++) await store.replace(`k${at}`, item(`k${at}`, long));
    const { stream } = await streamOf(store);
    const cut = once(stream, 'error');
    for (let at = 2400; at < 2440; at++) assert.ok(await store.replace(`k${at}`, item(`k${at}`)));
    assert.match(String((await cut)[0]), /reads a large list too slowly/);
    assert.equal((await keysOf(store)).length, 2500);
  });

  test('2,500 items, read once → one text with the same version; streams that end late or never do not change that', async () => {
    const store = await longList();
    const [late, first, leaving] = [await streamOf(store), await streamOf(store), await streamOf(store)];
    const chunks = late.stream[Symbol.asyncIterator]();
    const begin = String((await chunks.next()).value);
    leaving.stream.once('readable', () => leaving.stream.destroy());
    await once(leaving.stream, 'close');
    const text = await textOf(first.stream);
    for (let times = 0; times < 2; times++) {
      const list = await store.list();
      assert.ok('body' in list);
      assert.deepEqual([list.body, list.version, list.length], [text, first.version, Buffer.byteLength(text)]);
    }
    await store.remove('k7');
    const changed = await streamOf(store);
    let rest = begin;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) rest += next.value;
    assert.equal(rest, text);
    assert.ok('stream' in (await store.list()));
    assert.equal(JSON.parse(await textOf(changed.stream)).length, 2499);
    assert.equal((await keysOf(store)).length, 2499);
  });

  test('a list of more than 1 MiB → a stream each time, with the same version and text', async () => {
    const store = await longList();
    for (let at = 2400; at < 2403; at++) await store.replace(`k${at}`, item(`k${at}`, 'x'.repeat(400_000)));
    const { version, stream } = await streamOf(store);
    const text = await textOf(stream);
    for (let times = 0; times < 3; times++) {
      const again = await streamOf(store);
      assert.equal(again.version, version);
      assert.equal(await textOf(again.stream), text);
    }
    assert.equal((await keysOf(store)).length, 2500);
  });

  test('items with long names → a page ends with the item that fills it', async () => {
    const store = opened();
    for (let at = 0; at < 20; at++) await store.add(`k${at}`, item(`k${at}`, 'x'.repeat(300_000)));
    const keys = Array.from({ length: 20 }, (_, at) => `k${at}`);
    assert.deepEqual(await keysOf(store), keys);
  });

  /** The statements of another program on the items a, b and c, and the keys of the list after them. */
  const OTHERS = [
    ["REPLACE INTO items (key, value, version) SELECT key, value, 'x' FROM items WHERE key = 'a'", 'b,c,a'],
    ["INSERT OR REPLACE INTO items SELECT position, key, value, 'x' FROM items", 'a,b,c'],
    ["INSERT INTO items SELECT 1, 'b', value, 'x' FROM items WHERE key = 'c' ON CONFLICT DO NOTHING", 'a,b,c'],
    ["REPLACE INTO items SELECT 1, 'b', value, 'x' FROM items WHERE key = 'c'", 'b,c'],
    ["INSERT INTO items (key, value, version) SELECT 'd', value, 'x' FROM items WHERE key = 'a'", 'a,b,c,d'],
    ["UPDATE items SET key = 'd', version = 'x' WHERE key = 'a'", 'd,b,c'],
    ["UPDATE OR REPLACE items SET key = 'a', version = 'x' WHERE key = 'b'", 'a,c'],
    ["DELETE FROM items WHERE key IN ('b', 'c')", 'a'],
    ['DELETE FROM items', ''],
    ["BEGIN; DELETE FROM items WHERE key = 'a'; DELETE FROM items WHERE key = 'b'; COMMIT", 'c'],
    ["BEGIN; DELETE FROM items; ROLLBACK; UPDATE items SET version = 'x'", 'a,b,c'],
  ] as const;
  for (const [sql, keys] of OTHERS)
    test(`another program runs ${sql} → --max-items takes exactly the items that still fit; the list has a new ETag`, async (t) => {
      const file = newFile();
      const first = opened({ file });
      for (const key of ['a', 'b', 'c']) await first.add(key, item(key));
      first.close();
      const { port } = await serve(t, { store: file, maxItems: 5, metrics: true });
      const LIST = { target: '/api/todo' };
      const stored = async () => /^todo_store_items (\d+)$/m.exec((await ask(port, { target: '/metrics' })).text)?.[1];
      assert.equal(await stored(), '3');
      const { etag = '' } = (await ask(port, LIST)).headers;
      const other = new DatabaseSync(file);
      other.exec(sql);
      const before = keys.split(',').filter((key) => key !== '');
      // The first change comes before any read.
      for (let count = before.length; count < 7; count++) {
        const headers = { 'Content-Type': 'application/json' };
        const { status } = await ask(port, { method: 'POST', ...LIST, headers, body: '{"name":"New"}' });
        assert.equal(status, count < 5 ? 201 : 507, `${count} items`);
      }
      assert.equal(await stored(), '5');
      const list = await ask(port, { ...LIST, headers: { 'If-None-Match': etag } });
      assert.equal(list.status, 200);
      assert.equal(list.json().length, 5);
      other.exec("DELETE FROM items WHERE key NOT IN ('a', 'b', 'c', 'd')");
      assert.deepEqual(
        other
          .prepare("SELECT coalesce(group_concat(key), '') AS keys FROM (SELECT key FROM items ORDER BY position)")
          .get(),
        Object.assign(Object.create(null), { keys }),
      );
      assert.equal((await ask(port, LIST)).json().length, before.length);
      assert.equal(await stored(), String(before.length));
      other.close();
    });

  test('invalid items among valid ones → skipped with one warning; they can be replaced and removed', async () => {
    const file = newFile();
    const store = opened({ file });
    for (const key of ['a', 'b', 'c']) await store.add(key, item(key));
    const other = new DatabaseSync(file);
    other.exec(`UPDATE items SET value = 'x' WHERE key IN ('a', 'b')`);
    other.close();
    assert.deepEqual(await keysOf(store), ['c']);
    assert.equal(await store.get('a'), undefined);
    assert.equal(logged.splice(0).length, 1);
    assert.ok(await store.replace('a', item('a')));
    assert.ok(await store.remove('b'));
    assert.deepEqual(await keysOf(store), ['a', 'c']);
  });

  test('the file has reached its limit → CollectionFull, reads work; a removal makes room', async () => {
    const store = opened({ maxBytes: 65_536 });
    const name = 'x'.repeat(3000);
    let added = 0;
    await assert.rejects(async () => {
      for (; added < 100; added++) await store.add(`k${added}`, item(`k${added}`, name));
    }, CollectionFull);
    assert.ok(added > 5, String(added));
    assert.equal((await keysOf(store)).length, added);
    assert.equal(store.size, added);
    assert.ok(await store.remove('k0'));
    assert.ok(await store.add('new', item('new')));
    assert.ok(store.bytes < 65_536 + 20_000, String(store.bytes));
    assert.equal(store.limit, 65_536);
    assertTold(/^The store "[^"]+" is full: /, /^The store "[^"]+" has room again$/);
  });

  test('a reader keeps the write-ahead log, which reaches the limit → 507 for each change until the reader is closed', async () => {
    const file = newFile();
    const store = opened({ file, maxBytes: 200_000 });
    await store.add('a', item('a'));
    const reader = new DatabaseSync(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM items').get();
    const change = () => store.replace('a', item('a', 'x'.repeat(20_000)));
    await assert.rejects(async () => {
      for (let time = 0; time < 100; time++) await change();
    }, CollectionFull);
    assert.ok(store.bytes > 200_000 && store.bytes < 300_000, String(store.bytes));
    await assert.rejects(store.remove('a'), CollectionFull);
    assert.ok(await store.get('a'));
    reader.close();
    assert.ok(await change());
    assert.ok(store.bytes < 200_000, String(store.bytes));
    assertTold(
      /^The store "[^"]+" is full: its write-ahead log has reached the limit, and another program/,
      /has room again$/,
    );
  });

  test('a file that is larger than the limit → items can be removed', async () => {
    const file = newFile();
    const first = opened({ file });
    for (let at = 0; at < 100; at++) await first.add(`k${at}`, item(`k${at}`, 'x'.repeat(3000)));
    first.close();
    const store = opened({ file, maxBytes: 65_536 });
    assert.ok((await store.remove('k0')) && (await store.remove('k1')));
    store.close();
  });

  test('another program locks the file → a change waits for half a second, then 503; reads work and do not wait', async () => {
    const file = newFile();
    const store = opened({ file });
    await store.add('a', item('a'));
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    await assert.rejects(
      store.add('b', item('b')),
      (error) =>
        error instanceof HttpProblem && error.status === 503 && error.extra.headers?.['Retry-After'] !== undefined,
    );
    assert.ok(await store.get('a'));
    clearInterval(counting);
    assert.ok(turns > 10, `${turns} turns of the event loop while the change waited`);
    await assert.rejects(async () => store.check(), HttpProblem);
    const added = store.add('b', item('b'));
    other.exec('ROLLBACK');
    assert.ok(await added);
    assertTold(/cannot be reached: another program locks it$/, /^The store "[^"]+" is reached again$/);
    other.close();
  });

  for (const [what, suffix, take] of [
    ['removed', '', (path: string) => rmSync(path)],
    ['moved', '', (path: string) => renameSync(path, `${path}.moved`)],
    ['replaced by a backup', '', (path: string) => renameSync(backupOf(path), path)],
    ['overwritten by a backup', '', (path: string) => copyFileSync(backupOf(path), path)],
    ['left without its write-ahead log', '-wal', (path: string) => rmSync(path)],
  ] as const)
    test(`the file is ${what} while the service runs → 503 for changes and check(), one line in the log; reads work`, async () => {
      const file = newFile();
      const store = opened({ file });
      await store.add('a', item('a'));
      take(file + suffix);
      for (const change of [
        () => store.add('b', item('b')),
        () => store.replace('a', item('a', 'b')),
        () => store.remove('a'),
        () => store.check(),
      ])
        await assert.rejects(async () => change(), HttpProblem);
      if (!what.startsWith('overwritten')) assert.ok('body' in (await store.list()));
      assertTold(/ cannot be reached: its file was removed, moved or replaced; put it back, or restart with/);
      store.close();
      if (!what.includes('backup')) return;
      // The backup is unchanged.
      const again = opened({ file });
      assert.deepEqual(await keysOf(again), ['a']);
      again.close();
    });

  test('the log has reached the limit, and a backup is copied over the file → 503; the backup is unchanged', async () => {
    const file = newFile();
    const store = opened({ file, maxBytes: 200_000 });
    await store.add('a', item('a'));
    const backup = backupOf(file);
    while (store.bytes <= 200_000) await store.replace('a', item('a', 'x'.repeat(20_000)));
    copyFileSync(backup, file);
    await assert.rejects(async () => store.add('b', item('b')), HttpProblem);
    assert.deepEqual(readFileSync(file), readFileSync(backup));
    store.close();
    assert.deepEqual(readFileSync(file), readFileSync(backup));
    assertTold(/ cannot be reached: its file was removed, moved or replaced/);
  });

  test('the file is removed while there are no changes → check() throws; the file is put back → it works again', async () => {
    const file = newFile();
    const store = opened({ file });
    await store.check();
    renameSync(file, `${file}.moved`);
    await assert.rejects(async () => store.check(), HttpProblem);
    renameSync(`${file}.moved`, file);
    await store.check();
    assert.ok(await store.add('a', item('a')));
    assertTold(/was removed/, /is reached again$/);
    store.close();
  });

  test('pages of the file are damaged → 503 for reads of these pages, for changes and check(); one line in the log', async () => {
    const file = newFile();
    const first = opened({ file });
    for (let at = 0; at < 500; at++) await first.add(`k${at}`, item(`k${at}`, 'x'.repeat(400)));
    first.close();
    const bytes = readFileSync(file);
    // Not the pages with the keys, which are read when the file is opened.
    bytes.fill(0xff, bytes.length - 4 * 4096);
    writeFileSync(file, bytes);
    const store = opened({ file });
    for (const question of [() => store.list(), () => store.check(), () => store.add('a', item('a'))])
      await assert.rejects(
        async () => question(),
        (error) => error instanceof HttpProblem && error.status === 503,
      );
    assertTold(
      / cannot be reached: it is damaged \(database disk image is malformed\); stop the service, move ".+ away, and copy a backup to "[^"]+", and start again$/,
    );
    store.close();
  });

  for (const file of [':memory:', 'file:todo.db', 'sqlite:todo.db', 'redis://u:s3cret@h', '"redis://u:s3cret@h"'])
    test(`D85 – the file name ${file} → a TypeError that does not show the name`, () => {
      assert.throws(
        () => new SqliteStore(todoSchema(), { file }),
        ({ name, message }: Error) => name === 'TypeError' && !message.includes(file) && !/s3cret/.test(message),
      );
    });

  test('a store that is not open → an error with the remedy; open and close can be called twice', async () => {
    const store = new SqliteStore(todoSchema(), { file: newFile() });
    await assert.rejects(store.get('a'), /^Error: Cannot use the store: it is not open; start the application/);
    store.open();
    store.open();
    await store.check();
    store.close();
    store.close();
    await assert.rejects(async () => store.check(), /it is not open/);
  });

  test('the disk is full → 507 with Retry-After for every change, reads work; more space → changes work again', async (t) => {
    const disk = smallDisk(t);
    if (disk === undefined) return t.skip('only root can mount a disk of 400 KB');
    const store = new SqliteStore(todoSchema(), { file: join(disk, 'todo.db') });
    const app = application([verification(), todo({ store })]);
    await app.start();
    const ask = async (method: string, path: string, json?: object): Promise<Response> => {
      const reply = await app.request(path, { method, ...(json && { json }) });
      if (reply.status === 507) assert.equal(reply.headers.get('Retry-After'), '60');
      return reply;
    };
    assert.ok(store.limit < 500_000, String(store.limit));
    const paths: string[] = [];
    for (let status = 201; status === 201; ) {
      const reply = await ask('POST', '/api/todo', { name: 'x'.repeat(2000) });
      ({ status } = reply);
      if (status === 201) paths.push(reply.headers.get('Location')!);
      else assert.equal(status, 507);
    }
    assert.ok(paths.length > 5);
    const [path] = paths;
    const key = path!.split('/').at(-1)!;
    // The write-ahead log of the refused POST may have room for a smaller change.
    for (let status = 204, left = 10; status === 204; left--) {
      ({ status } = await ask('PUT', path!, { key, name: 'y'.repeat(2000) }));
      assert.ok(status === 507 || left > 0, `${status}`);
    }
    assert.equal((await ask('DELETE', path!)).status, 507);
    await store.check();
    assert.ok(store.up);
    assert.equal((await ask('GET', path!)).status, 200);
    assert.equal(((await (await ask('GET', '/api/todo')).json()) as unknown[]).length, paths.length + 1);
    spawnSync('mount', ['-o', 'remount,size=4m', disk]);
    assert.equal((await ask('DELETE', path!)).status, 204);
    assert.equal((await ask('POST', '/api/todo', { name: 'there is room' })).status, 201);
    assertTold(/^The store "[^"]+" is full: database or disk is full$/, /^The store "[^"]+" has room again$/);
    await app.stop();
  });
});

/** Mounts a separate disk of 400 KB in memory. Returns undefined if this user may not mount a disk. */
function smallDisk(t: TestContext): string | undefined {
  const disk = join(folder, `disk${files++}`);
  mkdirSync(disk);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400k', 'tmpfs', disk]).status !== 0) return undefined;
  t.after(() => spawnSync('umount', ['-l', disk]));
  return disk;
}
