/** The files that a store opens, and the files that it rejects without changing them (D83). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { CopiedItem } from '../../../src/plugins/collection/lasting-store.ts';
import { StoreError } from '../../../src/plugins/collection/store-error.ts';
import { fillFile, itemsOfFile } from '../../../src/shelf/sqlite/copy-file.ts';
import { assertStoreFile } from '../../../src/shelf/sqlite/database-file.ts';
import { openStoreFile, type StoreFile } from '../../../src/shelf/sqlite/store-file.ts';
import { noSqlite } from '../../support/lasting-stores.ts';
import { PROGRAM } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { backup, DatabaseSync } from './database.ts';

const folder = temporaryFolder({});
const NOT_PLAIN = /it is not a plain file, has hard links, or is mounted without its folder; name another file$/;
/** The superuser may write everything, so the service runs without that right. */
const THROUGH = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];
const noUser = THROUGH.length > 0 && spawnSync(THROUGH[0]!, ['--version']).status !== 0 && 'setpriv is missing';
const at = (name: string): string => join(folder, name);
const add = ({ items }: StoreFile, ...keys: readonly string[]): void => {
  for (const key of keys) items.add({ key, value: '{}', version: key });
};
/** Opens a file, and adds items with these keys. */
function open(path: string, ...keys: readonly string[]): StoreFile {
  const file = openStoreFile(path, 'full', undefined);
  add(file, ...keys);
  return file;
}
/** The keys of the items in a closed file. */
function keysOf(path: string): string[] {
  const { items, close } = open(path);
  const keys = items.page()!.items.map(({ key }) => key);
  close();
  return keys;
}

/** Copies the files that a killed service leaves, and closes the file. */
function kill({ close }: StoreFile, path: string, killed: string): void {
  for (const end of ['', '-wal', '-shm', '-id']) copyFileSync(path + end, killed + end);
  close();
}

function setMode(path: string, mode: number): void {
  const bytes = readFileSync(path);
  bytes.fill(mode, 18, 20);
  writeFileSync(path, bytes);
}

/** The message for a log that may belong to another file. */
const foreignLog = (path: string, end: string): RegExp =>
  new RegExp(
    `the log "${path}${end}" does not belong to it, perhaps because it is a restored backup; ` +
      `put back "${path}" and "${path}-id", or end .+, and delete "${path}-wal", "${path}-shm" and "${path}-journal"$`,
  );

async function* noItems(): AsyncGenerator<CopiedItem, void> {}
const copyTo = (path: string, items = noItems()): Promise<number> =>
  fillFile(path, { maxItems: 9, maxBytes: undefined }, items);

function database(path: string, sql: string): void {
  const file = new DatabaseSync(path);
  file.exec(sql);
  file.close();
}

const rejected = (path: string, message: RegExp, exitCode: number): void =>
  assert.throws(
    () => open(path),
    (error) => {
      assert.ok(error instanceof StoreError, String(error));
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      assert.equal(error.isTemporary, exitCode === 1);
      return true;
    },
  );

describe('D83 – the file of a store', { skip: noSqlite }, () => {
  for (const [what, make] of [
    ['a text', (path: string) => writeFileSync(path, 'x'.repeat(1000))],
    ['a short text', (path: string) => writeFileSync(path, 'SQLite format 3\0')],
    ['an SQLite file of another program', (path: string) => database(path, 'CREATE TABLE items (a)')],
    ['an SQLite file without tables', (path: string) => database(path, 'PRAGMA user_version = 1')],
    [
      'a file of another version',
      (path: string) =>
        database(path, 'PRAGMA application_id = 0x746f646f; PRAGMA user_version = 3; CREATE TABLE a (b)'),
    ],
  ] as const)
    test(`${what} → rejected with exit code 2; no byte is changed, no file is added`, () => {
      const path = at(`${what}.db`);
      make(path);
      const before = readFileSync(path);
      const names = readdirSync(folder);
      rejected(path, /it is not a list of this version of the service; name another file, or a new one$/, 2);
      assert.ok(readFileSync(path).equals(before));
      assert.deepEqual(readdirSync(folder), names);
    });

  test('a folder, a pipe and a device → rejected without waiting', () => {
    mkdirSync(at('folder'));
    spawnSync('mkfifo', [at('pipe')]);
    for (const path of [at('folder'), at('pipe'), '/dev/null']) rejected(path, NOT_PLAIN, 2);
  });

  test('a file in a folder that does not exist → rejected; the message names the folder', () => {
    symlinkSync(at('none/todo.db'), at('astray.db'));
    rejected(at('astray.db'), /ENOENT: .+none'; create its folder, and let this user write/, 2);
    rejected(at('none/todo.db'), /ENOENT: .+none'; create its folder, and let this user write/, 2);
  });

  test('a damaged file → rejected with the message of SQLite', () => {
    const path = at('damaged.db');
    open(path).close();
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100);
    writeFileSync(path, bytes);
    const [log, shared] = [`"${path}-wal"`, `"${path}-shm"`];
    rejected(
      path,
      new RegExp(`it is damaged \\(.+\\); move "${path}", ${log} and ${shared} away, and copy a backup to "${path}"$`),
      2,
    );
  });

  /** SQLite decides by this byte whether a file has a write-ahead log: 1 without, 2 with it. */
  const MODES = [undefined, 1, 2] as const;
  for (const [what, make] of [
    ['--copy-store', (path, copy) => copyTo(copy, itemsOfFile(path))],
    ['VACUUM INTO', (_, copy, { database }) => database.exec(`VACUUM INTO '${copy}'`)],
    ['the backup API', (_, copy, { database }) => backup(database, copy)],
    [
      'the backup API, twice to one file',
      async (_, copy, { database }) => [await backup(database, copy), await backup(database, copy)],
    ],
    ['a copy of the closed file', (path, copy, file) => [file.close(), copyFileSync(path, copy)]],
  ] as readonly (readonly [string, (path: string, copy: string, file: StoreFile) => unknown])[])
    for (const mode of MODES)
      test(`a service is killed and its file replaced by a backup (${what}, mode ${mode ?? 'as made'}) → rejected until the old write-ahead log is removed`, async (t) => {
        if (what.includes('API') && backup === undefined) return t.skip('this Node has no backup API');
        const [path, copy] = [at(`${what} ${mode}.db`), at(`${what} ${mode}.backup`)];
        let file = open(path, 'a');
        await make(path, copy, file);
        file.close();
        if (mode !== undefined) setMode(copy, mode);
        // SQLite leaves a write-ahead log if a process ends without closing the file.
        file = open(path);
        for (let key = 0; key < 60; key++) add(file, `k${key}`);
        const killed = at(`${what} ${mode}.killed`);
        kill(file, path, killed);
        copyFileSync(copy, killed);
        const message = foreignLog(killed, '-wal');
        rejected(killed, message, 2);
        assert.throws(() => assertStoreFile(killed), message);
        await assert.rejects(itemsOfFile(killed).next(), message);
        await assert.rejects(copyTo(killed), message);
        assert.deepEqual(readFileSync(killed), readFileSync(copy));
        for (const end of ['-wal', '-shm']) rmSync(killed + end);
        assert.deepEqual(keysOf(killed), ['a']);
      });

  for (const [what, change] of [
    ['unchanged', ''],
    ['changed', 'CREATE TABLE other (a); INSERT INTO other VALUES (1); VACUUM; PRAGMA journal_mode = WAL'],
  ] as const)
    test(`a backup by VACUUM INTO while the service runs, ${what}, then the service is killed → rejected`, () => {
      const [path, killed] = [at(`running ${what}.db`), at(`running ${what}.killed`)];
      const file = open(path);
      file.database.exec(`VACUUM INTO '${path}.backup'`);
      database(`${path}.backup`, change);
      add(file, 'a');
      kill(file, path, killed);
      copyFileSync(`${path}.backup`, killed);
      rejected(killed, foreignLog(killed, '-wal'), 2);
    });

  test('a file that is itself a backup by VACUUM INTO, and another such backup, then the service is killed → rejected', () => {
    const [first, path, killed] = [at('vacuumed.first'), at('vacuumed.db'), at('vacuumed.killed')];
    let file = open(first, 'a');
    file.database.exec(`VACUUM INTO '${path}'`);
    file.close();
    file = open(path);
    file.database.exec(`VACUUM INTO '${path}.backup'`);
    add(file, 'b');
    kill(file, path, killed);
    copyFileSync(`${path}.backup`, killed);
    rejected(killed, foreignLog(killed, '-wal'), 2);
  });

  for (const [what, change] of [
    ['the file is missing', (path: string) => rmSync(path)],
    ['the file is empty', (path: string) => writeFileSync(path, '')],
    ['the identity is missing', (path: string) => rmSync(`${path}-id`)],
    ['the identity is damaged', (path: string) => writeFileSync(`${path}-id`, '1')],
  ] as const)
    test(`a service is killed, and ${what} → rejected with exit code 2; the log is unchanged`, async () => {
      const [path, killed] = [at(`${what}.db`), at(`${what}.killed`)];
      kill(open(path, 'a'), path, killed);
      const log = readFileSync(`${killed}-wal`);
      change(killed);
      rejected(killed, foreignLog(killed, '-wal'), 2);
      await assert.rejects(copyTo(killed), foreignLog(killed, '-wal'));
      assert.deepEqual(readFileSync(`${killed}-wal`), log);
    });

  test('a backup is copied over a file with the journal of another program that was killed → rejected', () => {
    const [path, backup] = [at('journal.db'), at('journal.backup')];
    open(path, 'a').close();
    copyFileSync(path, backup);
    open(path, 'b').close();
    const other = new DatabaseSync(path);
    other.exec("PRAGMA cache_size = 1; BEGIN; UPDATE items SET value = 'x'");
    for (let key = 0; key < 50; key++)
      other.exec(`INSERT INTO items (key, value, version) VALUES ('k${key}', hex(randomblob(3000)), '${key}')`);
    const [killed, restored] = [at('journal.killed'), at('journal.restored')];
    for (const copy of [killed, restored])
      for (const end of ['', '-journal', '-id']) copyFileSync(path + end, copy + end);
    other.close();
    assert.ok(statSync(`${killed}-journal`).size > 0);
    copyFileSync(backup, restored);
    rejected(restored, foreignLog(restored, '-journal'), 2);
    rmSync(`${restored}-journal`);
    assert.deepEqual(keysOf(restored), ['a']);
    assert.deepEqual(keysOf(killed), ['a', 'b']);
  });

  test('the file is moved away while it is open, and another one takes its place → the close completes the moved file only', () => {
    const [path, moved] = [at('place.db'), at('place.moved')];
    const first = open(path, 'a');
    for (const end of ['', '-wal', '-shm', '-id', '-lock']) renameSync(path + end, moved + end);
    const second = open(path, 'b');
    first.close();
    assert.ok(second.isInPlace());
    const killed = at('place.killed');
    kill(second, path, killed);
    rmSync(`${moved}-wal`);
    assert.deepEqual([keysOf(killed), keysOf(moved)], [['b'], ['a']]);
  });

  test('the file is overwritten and its log is replaced by a link → the close follows no link', () => {
    const [path, backup, victim] = [at('linked.db'), at('linked.backup'), at('victim')];
    open(path).close();
    copyFileSync(path, backup);
    const file = open(path, 'a');
    copyFileSync(backup, path);
    writeFileSync(victim, 'secret');
    rmSync(`${path}-wal`);
    symlinkSync(victim, `${path}-wal`);
    file.close();
    assert.equal(readFileSync(victim, 'utf8'), 'secret');
    assert.deepEqual(readFileSync(path), readFileSync(backup));
  });

  for (const [what, change] of [
    ['unchanged', ''],
    ['with an index of another program', 'CREATE INDEX mine ON items (value)'],
    ['vacuumed by another program', 'VACUUM'],
  ] as const)
    test(`a service is killed, its file ${what} → every answered change is in the file`, () => {
      const [path, killed] = [at(`killed ${what}.db`), at(`killed ${what}.copy`)];
      const file = open(path);
      file.database.exec(`${change}; PRAGMA wal_checkpoint(TRUNCATE)`);
      add(file, 'a');
      assert.ok(file.isInPlace());
      kill(file, path, killed);
      assert.deepEqual(keysOf(killed), ['a']);
    });

  test('another program has the file open, also over a kill and a stop → the file is opened, and no change is lost', () => {
    const [path, killed] = [at('attached.db'), at('attached.killed')];
    kill(open(path, 'a'), path, killed);
    const other = new DatabaseSync(killed);
    other.prepare('SELECT * FROM items').get();
    for (const key of ['b', 'c']) {
      const file = open(killed, key);
      assert.ok(file.isInPlace());
      file.close();
      assert.equal(statSync(`${killed}-wal`).size, 0, 'a copy of the closed file has every change');
    }
    const [backup, again] = [at('attached.backup'), at('attached.again')];
    copyFileSync(killed, backup);
    kill(open(killed, 'late'), killed, again);
    copyFileSync(backup, again);
    rejected(again, foreignLog(again, '-wal'), 2);
    other.exec('BEGIN');
    other.prepare('SELECT * FROM items').get();
    open(killed, 'd').close();
    other.close();
    assert.deepEqual(keysOf(killed), ['a', 'b', 'c', 'late', 'd']);
  });

  test('a write-ahead log that grew long because of a reader → 4 MiB after the reader is closed', () => {
    const path = at('long.db');
    const { items, close } = open(path);
    items.add({ key: 'a', value: '', version: '0' });
    const reader = new DatabaseSync(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM items').get();
    const sizes: number[] = [];
    const replace = (): void => {
      items.replace({ key: 'a', value: `${sizes.length}`.repeat(250_000), version: String(sizes.length) });
      sizes.push(statSync(`${path}-wal`).size);
    };
    for (let time = 0; time < 30; time++) replace();
    reader.close();
    // The first change triggers the checkpoint, the second restarts the write-ahead log.
    for (let time = 0; time < 2; time++) replace();
    assert.ok(sizes[29]! > 8 * 2 ** 20, String(sizes));
    assert.equal(sizes[31], 4 * 2 ** 20);
    close();
  });

  test('a file that is already open, also by another path → rejected with exit code 1 until it is closed', () => {
    const path = at('locked.db');
    const first = open(path);
    symlinkSync(path, at('link.db'));
    for (const one of [path, at('link.db')])
      rejected(one, /another process uses it; stop that process, or name another file$/, 1);
    first.close();
    open(path).close();
    // A link to a file that does not exist yet.
    symlinkSync(at('target.db'), at('early.db'));
    const early = open(at('early.db'));
    for (const one of [at('early.db'), at('target.db')]) rejected(one, /another process uses it/, 1);
    early.close();
  });

  test('a file that another program locks → rejected with exit code 1', () => {
    const path = at('busy.db');
    open(path).close();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    rejected(path, /another program locks it; stop that program$/, 1);
    other.close();
  });

  test('a file with two hard links → rejected under each name, also while it is open; with one name → opened', () => {
    const [path, link] = [at('named.db'), at('other-name.db')];
    const first = open(path);
    linkSync(path, link);
    rejected(link, NOT_PLAIN, 2);
    first.close();
    rejected(path, NOT_PLAIN, 2);
    rmSync(link);
    open(path).close();
  });

  for (const [name, mode, flags] of [
    ['todo.db', 0o444, ['--check']],
    ['todo.db', 0, ['--check']],
    ['todo.db-lock', 0o444, []],
    ['todo.db-id', 0o444, []],
    ['todo.db-wal', 0, []],
    ['todo.db-shm', 0o444, ['--check']],
  ] as const)
    test(`this user may not write ${name}, mode ${mode.toString(8)} → rejected with exit code 2, ${flags[0] ?? 'a start'}`, {
      skip: noUser,
    }, () => {
      const home = temporaryFolder({});
      const path = join(home, 'todo.db');
      open(path).close();
      if (!existsSync(join(home, name))) writeFileSync(join(home, name), '');
      chmodSync(join(home, name), mode);
      const [command = '', ...args] = [...THROUGH, process.execPath, ...PROGRAM, '--port', '0', '--store', path];
      const { status, stderr } = spawnSync(command, [...args, ...flags], { encoding: 'utf8', timeout: 20_000 });
      const line = `Cannot keep items in "${path}": EACCES: permission denied, `;
      assert.ok(stderr.startsWith(line) && stderr.includes(` '${join(home, name)}'; create its folder, and`), stderr);
      assert.equal(status, 2);
    });

  test('a file on a read-only file system → rejected with exit code 2', (t) => {
    const disk = at('readonly');
    mkdirSync(disk);
    open(join(disk, 'todo.db')).close();
    if (spawnSync('mount', ['--bind', '-o', 'ro', disk, disk]).status !== 0)
      return t.skip('only root can mount a folder');
    t.after(() => spawnSync('umount', ['-l', disk]));
    for (const check of [open, assertStoreFile])
      assert.throws(() => check(join(disk, 'todo.db')), /EROFS: read-only file system, .+; create its folder, and let/);
  });

  test('a file that is mounted without its folder → rejected', (t) => {
    const [path, disk, mounted] = [at('alone.db'), at('disk'), at('mounted.db')];
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', disk]).status !== 0) return t.skip('only root can mount a file');
    t.after(() => spawnSync('umount', ['-l', mounted, disk]));
    open(path).close();
    copyFileSync(path, join(disk, 'todo.db'));
    writeFileSync(mounted, '');
    assert.equal(spawnSync('mount', ['--bind', join(disk, 'todo.db'), mounted]).status, 0);
    rejected(mounted, NOT_PLAIN, 2);
  });

  test('a target that cannot be replaced → the error of the system; the new file is deleted', async () => {
    const home = temporaryFolder({});
    const path = join(home, 'todo.db');
    async function* obstructing(): AsyncGenerator<CopiedItem, void> {
      mkdirSync(path);
    }
    await assert.rejects(copyTo(path, obstructing()), /it cannot be opened \((?:EISDIR|ENOTDIR|EEXIST|EPERM)/);
    assert.deepEqual(readdirSync(home), ['todo.db', 'todo.db-lock']);
  });

  test('an empty file, left by a killed start → a new store', () => {
    const path = at('empty.db');
    writeFileSync(path, '');
    assert.deepEqual(keysOf(path), []);
  });

  for (const synchronous of ['full', 'normal'] as const)
    test(`synchronous: '${synchronous}' → the same setting in SQLite, and a write-ahead log`, () => {
      const { database, close } = openStoreFile(at(`${synchronous}.db`), synchronous, undefined);
      assert.equal(database.prepare('PRAGMA synchronous').get()?.['synchronous'], synchronous === 'full' ? 2 : 1);
      assert.equal(database.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal');
      close();
    });
});
