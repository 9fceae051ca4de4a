/** `--copy-store FROM TO`: what is copied, and what is refused (D86). */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CopiedItem, copyItems } from '../../../src/extensions/collection/lasting-store.ts';
import { StoreError } from '../../../src/extensions/collection/store-error.ts';
import { fillList } from '../../../src/extensions/redis/redis-list.ts';
import { RedisStore } from '../../../src/extensions/redis/redis-store.ts';

import { SqliteStore } from '../../../src/extensions/sqlite/sqlite-store.ts';
import { fillFile, itemsOfFile } from '../../../src/extensions/sqlite/store-file.ts';
import { type TodoItem, todoSchema } from '../../../src/extensions/todo/todo.ts';
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

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const item = (key: string): TodoItem => ({ key, name: `name of ${key}`, isComplete: false });

const run = (...flags: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(process.execPath, [...PROGRAM, ...flags], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_PATH: CLIENT_FOLDER },
  });

for (const [flags, line] of [
  [
    ['a.db'],
    /^Cannot use --copy-store: it needs two stores; give --copy-store FROM TO, such as todo\.db redis:\/\/host\n$/,
  ],
  [['a.db', '--store-timeout', '3s'], /it needs two stores/],
  [['memory', 'a.db'], /^Cannot use --copy-store "memory": it is in no other process; give a file or redis:\/\/…\n$/],
  [['none.db', 'a.db'], /^Cannot keep items in ".*none\.db": there is no list; name the file that has the items\n$/],
  [
    ['redis://:secret@h', 'redis://:secret@h'],
    /^Cannot use --copy-store "redis:\/\/…": it is the same store; name another\n$/,
  ],
  [['ftp://h', 'a.db'], /^Cannot use --copy-store "ftp:\/\/…": it is neither a file nor a URL of Redis/],
  [
    ['redis://u:secret@h/x', 'a.db'],
    /^Cannot use --copy-store "redis:\/\/…": its path is not the number of a database/,
  ],
  [['redis://h', 'a.db', '--prot', '1'], /^Cannot use the flag "--prot"/],
] as const)
  test(`D86 – --copy-store ${flags.join(' ')} → exit code 2 and one line, no file is made`, () => {
    const { status, stderr } = run('--copy-store', ...flags);
    assert.match(stderr, line);
    assert.equal(status, 2);
    for (const name of ['a.db', 'none.db']) assert.ok(!existsSync(join(ROOT, name)), name);
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
    engine: {
      place: () => engine.url(),
      store: (url: string) => new RedisStore(todoSchema(), { url, wait: 0 }),
    },
  } as const;

  /** What a store has, after a first item was offered to it. */
  async function itemsIn(kind: keyof typeof KINDS, place: string): Promise<TodoItem[]> {
    const store = KINDS[kind].store(place);
    await store.open();
    await store.seed('first', item('first'));
    const values: TodoItem[] = [];
    for await (const value of store.values()) values.push(value);
    store.close();
    return values;
  }

  async function filled(kind: keyof typeof KINDS, items: readonly TodoItem[]): Promise<string> {
    const place = KINDS[kind].place();
    const store = KINDS[kind].store(place);
    await store.open();
    for (const one of [item('gone'), ...items]) await store.add(one.key!, one);
    await store.remove('gone');
    store.close();
    return place;
  }

  const MIXED: readonly TodoItem[] = ['a', null, '', null].map((name, at) => ({
    key: `k${at}`,
    name,
    isComplete: true,
  }));
  const MANY = Array.from({ length: 2500 }, (_, at) => item(`k${(at * 7) % 2500}`));
  for (const [from, to] of [
    ['file', 'file'],
    ['file', 'engine'],
    ['engine', 'file'],
    ['engine', 'engine'],
  ] as const) {
    for (const [what, items] of [
      ['none, those it had were removed', []],
      ['2,500', MANY],
      ['some that the model of the service refuses', MIXED],
    ] as const)
      test(`from a ${from} to a ${to}, items: ${what} → all of them in their order, no first item`, async () => {
        const [source, target] = [await filled(from, items), KINDS[to].place()];
        const { stdout, stderr, status } = run('--copy-store', source, target, '--model', 'annotated');
        assert.deepEqual([stderr, status], ['', 0]);
        assert.match(stdout, new RegExp(`^Copied ${items.length} items from ".+" to ".+"\n$`));
        assert.deepEqual(await itemsIn(to, target), items);
        assert.deepEqual(await itemsIn(from, source), items);
      });

    test(`from a ${from} to a ${to} that has an item → exit code 2, nothing is copied`, async () => {
      const [source, target] = [await filled(from, MIXED), await filled(to, [item('own')])];
      const { stderr, status } = run('--copy-store', source, target);
      assert.match(stderr, /^Cannot keep items in ".+": it has items already; name a store that has none\n$/);
      assert.equal(status, 2);
      assert.deepEqual(await itemsIn(to, target), [item('own')]);
    });

    test(`from a ${from} that was never used to a ${to} → exit code 2, neither is made`, () => {
      const [source, target] = [KINDS[from].place(), KINDS[to].place()];
      if (from === 'file') writeFileSync(source, '');
      const { stderr, status } = run('--copy-store', source, target);
      assert.match(
        stderr,
        /^Cannot keep items in ".+": there is no (?:such )?list; name the \w+ that has the items\n$/,
      );
      assert.equal(status, 2);
      if (from === 'file') assert.equal(readFileSync(source).length, 0);
      if (to === 'file') assert.ok(!existsSync(target));
      for (const url of [source, target].filter((place) => place.startsWith('redis:')))
        assert.equal(engine.command('KEYS', `{${new URL(url).searchParams.get('list')}}*`), '');
    });
  }

  async function* broken(): AsyncGenerator<CopiedItem, void> {
    for (let at = 0; at < 450; at++) yield { key: `k${at}`, value: JSON.stringify(item(`k${at}`)) };
    throw new StoreError('"a"', 'it is gone');
  }

  test('a copy that fails on its way to a file → the file has none of it', async () => {
    const place = KINDS.file.place();
    const limits = { maxItems: Number.POSITIVE_INFINITY, maxBytes: undefined };
    const fill = (items: AsyncIterable<CopiedItem>) => fillFile(place, limits, items);
    await assert.rejects(copyItems(broken(), fill), { message: 'Cannot keep items in "a": it is gone' });
    assert.deepEqual(await itemsIn('file', place), [item('first')]);
  });

  test('a copy that fails on its way to an engine → the list has none of it; what was sent goes after a while', async () => {
    const place = KINDS.engine.place();
    const fill = (items: AsyncIterable<CopiedItem>) => fillList(place, { timeout: 2000, wait: 0 }, 1000, items);
    await assert.rejects(copyItems(broken(), fill), { message: 'Cannot keep items in "a": it is gone' });
    const left = engine.command('KEYS', `{${new URL(place).searchParams.get('list')}}*`).split('\n');
    assert.equal(left.length, 3);
    for (const key of left) assert.ok(Number(engine.command('TTL', key)) > 0, key);
    assert.deepEqual(await itemsIn('engine', place), [item('first')]);
  });

  for (const to of ['file', 'engine'] as const)
    test(`more items than a ${to} may have → exit code 2, it has none of them`, async () => {
      const [source, target] = [await filled('file', MIXED), KINDS[to].place()];
      const { stderr, status } = run('--copy-store', source, target, '--max-items', '3');
      assert.match(stderr, /it may have no more than 3 items; raise maxItems with --max-items\n$/);
      assert.equal(status, 2);
      assert.deepEqual(await itemsIn(to, target), [item('first')]);
    });

  for (const to of ['file', 'engine'] as const)
    test(`a file that a service has open, to a ${to} → its newest items, and the service goes on`, async () => {
      const [source, target] = [join(folder, `open-${to}.db`), KINDS[to].place()];
      const store = KINDS.file.store(source);
      store.open();
      for (const key of ['a', 'b', 'c']) store.add(key, item(key));
      const { status, stdout, stderr } = run('--copy-store', source, target);
      assert.deepEqual([status, stderr], [0, '']);
      assert.match(stdout, /^Copied 3 items/);
      store.add('d', item('d'));
      assert.equal(store.size, 4);
      store.close();
      assert.deepEqual(await itemsIn(to, target), [item('a'), item('b'), item('c')]);
    });

  test('items that come while a file is copied → the copy has those of the moment at which it began', async () => {
    const source = join(folder, 'moving.db');
    const store = KINDS.file.store(source);
    store.open();
    for (let number = 0; number < 5000; number++) store.add(`a${number}`, item(`a${number}`));
    const copied: string[] = [];
    for await (const { key } of itemsOfFile(source)) {
      if (copied.push(key) !== 1) continue;
      store.remove('a4999');
      store.add('b', item('b'));
    }
    assert.deepEqual([copied.length, copied.at(-1)], [5000, 'a4999']);
    store.close();
  });

  test('a file that a service has open as the target → refused, the file is named', async () => {
    const [source, target] = [await filled('file', MIXED), join(folder, 'target.db')];
    const store = KINDS.file.store(target);
    store.open();
    const { status, stderr } = run('--copy-store', source, target);
    assert.match(stderr, /target\.db": another process uses it; stop that one, or name another file\n$/);
    assert.equal(status, 1);
    store.close();
  });
});
