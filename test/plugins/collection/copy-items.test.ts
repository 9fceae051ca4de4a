/** `--copy-store FROM TO`: the items that are copied, and the copies that fail (D86). */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CopiedItem } from '../../../src/plugins/collection/lasting-store.ts';
import { StoreError } from '../../../src/plugins/collection/store-error.ts';
import { type TodoItem, todoSchema } from '../../../src/plugins/todo/todo.ts';
import { copyItems, copyStore } from '../../../src/service/copy-store.ts';
import { readCopyPlaces, type Settings } from '../../../src/service/settings/settings.ts';
import { fillList } from '../../../src/shelf/redis/redis-list.ts';
import { RedisStore } from '../../../src/shelf/redis/redis-store.ts';
import { fillFile, itemsOfFile } from '../../../src/shelf/sqlite/copy-file.ts';
import { SqliteStore } from '../../../src/shelf/sqlite/sqlite-store.ts';
import {
  CLIENT_FOLDER,
  noEngine,
  noSqlite,
  type RunningEngine,
  startEngine,
  workBesideClient,
} from '../../support/lasting-stores.ts';
import { PROGRAM } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { todoItem } from '../../support/todo-item.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const item = (key: string): TodoItem => todoItem({ key, name: `name of ${key}` });

const run = (...flags: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [...PROGRAM, ...flags], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: CLIENT_FOLDER },
  });

for (const [words, message] of [
  [['a.db'], /: it needs two stores; give --copy-store FROM TO, such as todo\.db redis:\/\/host$/],
  [['a.db', '--store-timeout', '3s'], /it needs two stores/],
  [['memory', 'a.db'], /--copy-store "memory": memory belongs to one process; give a file or redis:\/\/…$/],
  [['redis://:secret@h', 'redis://:secret@h'], /--copy-store "redis:\/\/…": both stores are the same; name another$/],
  [['ftp://h', 'a.db'], /--copy-store "ftp:\/\/…": it is neither a file nor a URL of Redis/],
  [['redis://u:secret@h/x', 'a.db'], /--copy-store "redis:\/\/…": it is not a URL of Redis/],
  [['redis://h', 'a.db', '--prot', '1'], /^Cannot use the flag "--prot"/],
] as const)
  test(`D86 – --copy-store ${words.join(' ')} → an error of one line`, () => {
    assert.throws(() => readCopyPlaces(['--copy-store', ...words], {}), { name: 'SettingsError', message });
  });

test('D86 – --copy-store from a file that does not exist → exit code 2 and one line; no file is created', {
  skip: noSqlite,
}, () => {
  const { status, stderr } = run('--copy-store', 'none.db', 'a.db');
  assert.match(
    stderr,
    /^Cannot keep items in ".*none\.db": it does not contain a list; name the file with the items\n$/,
  );
  assert.equal(status, 2);
  for (const name of ['a.db', 'none.db']) assert.ok(!existsSync(join(ROOT, name)), name);
});

for (const end of ['-incomplete', '-id', '-wal'])
  test(`D86 – --copy-store todo.db${end} todo.db → an error of one line; no file is deleted`, {
    skip: noSqlite,
  }, () => {
    const folder = temporaryFolder({ [`todo.db${end}`]: 'x' });
    const [from, to] = [join(folder, `todo.db${end}`), join(folder, 'todo.db')];
    const { status, stderr } = run('--copy-store', from, `${folder}/./todo.db`);
    assert.match(stderr, new RegExp(`"${from}" is one of its files, or may be one; name another file\\n$`));
    assert.equal(status, 2);
    assert.deepEqual([readFileSync(from, 'utf8'), existsSync(to)], ['x', false]);
  });

describe('D86 – a file and an engine', { skip: noSqlite || noEngine('redis-server') }, () => {
  const folder = temporaryFolder({});
  let engine: RunningEngine;
  let files = 0;
  before(async () => {
    workBesideClient();
    engine = await startEngine('redis-server');
  });
  after(() => engine?.stop());

  const KINDS = {
    file: {
      place: () => join(folder, `${files++}.db`),
      store: (file: string) => new SqliteStore(todoSchema(), { file, synchronous: 'normal' }),
    },
    engine: { place: () => engine.url(), store: (url: string) => new RedisStore(todoSchema(), { url, wait: 0 }) },
  } as const;
  type Kind = keyof typeof KINDS;
  const PLACES = ['file', 'engine'] as const;
  const PAIRS = PLACES.flatMap((from) => PLACES.map((to) => [from, to] as const));

  const copy = (from: string, to: string, maxItems = Number.POSITIVE_INFINITY): Promise<number> =>
    copyStore(from, to, { maxItems, storeTimeout: 2000, storeWait: 0 } as Settings);

  const refused = (copying: Promise<number>, message: RegExp, isTemporary = false): Promise<void> =>
    assert.rejects(copying, (error) => {
      assert.ok(error instanceof StoreError, String(error));
      assert.match(error.message, message);
      return error.isTemporary === isTemporary;
    });

  /** The items of a store, after its first item was seeded. */
  async function itemsIn(kind: Kind, place: string): Promise<TodoItem[]> {
    const store = KINDS[kind].store(place);
    await store.open();
    await store.seed('first', item('first'));
    const values: TodoItem[] = [];
    for await (const value of store.values()) values.push(value);
    store.close();
    return values;
  }

  async function filled(kind: Kind, items: readonly TodoItem[]): Promise<string> {
    const place = KINDS[kind].place();
    const store = KINDS[kind].store(place);
    await store.open();
    await Promise.all([item('gone'), ...items].map((one) => store.add(one.key!, one)));
    await store.remove('gone');
    store.close();
    return place;
  }

  /** The keys of a list in the engine, one per line. */
  const keysOf = (url: string): string => engine.command('KEYS', `{${new URL(url).searchParams.get('list')}}*`);

  const NAMES = ['a', null, '', null];
  const MIXED: readonly TodoItem[] = NAMES.map((name, at) => todoItem({ key: `k${at}`, name }));
  const MANY = [...MIXED, ...Array.from({ length: 2500 }, (_, at) => item(`n${(at * 7) % 2500}`))];

  for (const [from, to] of PAIRS) {
    for (const [what, items] of [
      ['a store whose items were all removed', []],
      ['2,504 items, some without a name', MANY],
    ] as const)
      test(`from a ${from} to a ${to}, ${what} → the same items in the same order, no first item`, async () => {
        const [source, target] = [await filled(from, items), KINDS[to].place()];
        assert.equal(await copy(source, target), items.length);
        assert.deepEqual(await itemsIn(to, target), items);
        assert.deepEqual(await itemsIn(from, source), items);
      });

    test(`from a ${from} to a ${to} that has an item → a StoreError, nothing is copied`, async () => {
      const [source, target] = [await filled(from, MIXED), await filled(to, [item('own')])];
      await refused(copy(source, target), /it already has items; name an empty store$/);
      assert.deepEqual(await itemsIn(to, target), [item('own')]);
    });

    test(`from a ${from} that was never used to a ${to} → a StoreError, nothing is created`, async () => {
      const [source, target] = [KINDS[from].place(), KINDS[to].place()];
      if (from === 'file') writeFileSync(source, '');
      await refused(
        copy(source, target),
        /(?:it does not contain a list|the list does not exist); name the \w+ with the items$/,
      );
      if (from === 'file') assert.equal(readFileSync(source).length, 0);
      if (to === 'file') assert.ok(!existsSync(target));
      for (const url of [source, target].filter((place) => place.startsWith('redis:'))) assert.equal(keysOf(url), '');
    });
  }

  test('--copy-store of items that are invalid in the model of the service → copied, exit code 0 and one line', async () => {
    const [source, target] = [await filled('file', MIXED), KINDS.engine.place()];
    const { stdout, stderr, status } = run('--copy-store', source, target, '--model', 'annotated');
    assert.deepEqual([stderr, status], ['', 0]);
    assert.match(stdout, /^Copied 4 items from ".+" to ".+"\n$/);
    assert.deepEqual(await itemsIn('engine', target), MIXED);
  });

  test('--copy-store of more items than --max-items → exit code 2, the line names the flag', async () => {
    const [source, target] = [await filled('file', MIXED), KINDS.file.place()];
    const { stderr, status } = run('--copy-store', source, target, '--max-items', '3');
    assert.match(stderr, /it is limited to 3 items; raise maxItems with --max-items\n$/);
    assert.equal(status, 2);
  });

  async function* broken(): AsyncGenerator<CopiedItem, void> {
    for (let at = 0; at < 450; at++) yield { key: `k${at}`, value: JSON.stringify(item(`k${at}`)) };
    throw new StoreError('"a"', 'it is gone');
  }

  for (const to of PLACES) {
    test(`a copy to a ${to} that fails halfway → the ${to} is unchanged; partial copies in an engine expire`, async () => {
      const place = KINDS[to].place();
      const limits = { maxItems: Number.POSITIVE_INFINITY, maxBytes: undefined };
      const fill = (items: AsyncIterable<CopiedItem>): Promise<number> =>
        to === 'file' ? fillFile(place, limits, items) : fillList(place, { timeout: 2000, wait: 0 }, 1000, items);
      await assert.rejects(copyItems(broken(), fill), { message: 'Cannot keep items in "a": it is gone' });
      if (to === 'engine') {
        const left = keysOf(place).split('\n');
        assert.equal(left.length, 3);
        for (const key of left) assert.ok(Number(engine.command('TTL', key)) > 0, key);
      }
      assert.deepEqual(await itemsIn(to, place), [item('first')]);
    });

    test(`more items than the limit of a ${to} → a StoreError, none is copied`, async () => {
      const [source, target] = [await filled('file', MIXED), KINDS[to].place()];
      await refused(copy(source, target, 3), /it is limited to 3 items; raise maxItems$/);
      assert.deepEqual(await itemsIn(to, target), [item('first')]);
    });
  }

  test('a file that a service has open → its newest items are copied, and the service keeps running', async () => {
    const [source, target] = [KINDS.file.place(), KINDS.file.place()];
    const store = KINDS.file.store(source);
    await store.open();
    for (const key of ['a', 'b', 'c']) await store.add(key, item(key));
    assert.equal(await copy(source, target), 3);
    await store.add('d', item('d'));
    assert.equal(store.size, 4);
    await refused(copy(target, source), /another process uses it; stop that process, or name another file$/, true);
    store.close();
    assert.deepEqual(await itemsIn('file', target), [item('a'), item('b'), item('c')]);
  });

  test('items that change while a file is copied → the copy has the items of its beginning', async () => {
    const source = KINDS.file.place();
    const store = KINDS.file.store(source);
    await store.open();
    for (let number = 0; number < 5000; number++) await store.add(`a${number}`, item(`a${number}`));
    const copied: string[] = [];
    for await (const { key } of itemsOfFile(source)) {
      if (copied.push(key) !== 1) continue;
      await store.remove('a4999');
      await store.add('b', item('b'));
    }
    assert.deepEqual([copied.length, copied.at(-1)], [5000, 'a4999']);
    store.close();
  });
});
