/**
 * Backups that are copied over the file of a service, in every order (D83): the service has the items of the backup, or
 * it refuses to start or to change, with a line that names the remedy.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fillFile } from '../../../src/shelf/sqlite/copy-file.ts';
import { ROOT, textOf } from '../../house/source-files.ts';
import { oneFile } from '../../release/one-file.ts';
import { noSqlite } from '../../support/lasting-stores.ts';
import { PROGRAM, runProgram, SOURCE_LOADER } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Starts a service, which may refuse to start. */
async function start(t: TestContext, file: string, program = PROGRAM, user?: User) {
  const child = spawn(process.execPath, [...program, '--port', '0', '--store', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  t.after(() => void child.kill('SIGKILL'));
  let [printed, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = once(child, 'close');
  const address = (): string => /http:\S+\/api\/todo/.exec(printed)?.[0] ?? '';
  await until(() => address() !== '' || child.exitCode !== null, 'the service has started or ended', 30_000);
  return {
    code: child.exitCode,
    errors: () => errors,
    async post(name: string): Promise<number> {
      const headers = { 'Content-Type': 'application/json' };
      const reply = await fetch(address(), { method: 'POST', headers, body: JSON.stringify({ name }) });
      await reply.text();
      return reply.status;
    },
    async names(): Promise<readonly string[]> {
      const items = (await (await fetch(address())).json()) as readonly { readonly name: string }[];
      return items.map(({ name }) => name.slice(0, 20));
    },
    async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      child.kill(signal);
      await closed;
    },
  };
}

type Service = Awaited<ReturnType<typeof start>>;

const copyStore = (from: string, to: string) => runProgram('--copy-store', from, to);

/** Begins a copy, and kills the process in the middle. */
async function killCopy(to: string): Promise<void> {
  const module = pathToFileURL(join(ROOT, 'src/shelf/sqlite/copy-file.ts')).href;
  const program = `import { fillFile } from ${JSON.stringify(module)};
    async function* endless() {
      for (let at = 0; at < 3000; at++) yield { key: 'k' + at, value: 'x'.repeat(1000) };
      process.stdout.write('half');
      setInterval(() => {}, 1000);
      await new Promise(() => {});
    }
    await fillFile(${JSON.stringify(to)}, { maxItems: Infinity }, endless());`;
  const words = [...SOURCE_LOADER, '--input-type=module', '--eval', program];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** The changes after the backup. SQLite moves the second ones from the log to the file. */
const CHANGES = { 'a small log': [3, 20], 'a checkpointed log': [90, 60_000] } as const;

async function change(service: Service, [count, length]: readonly [number, number]): Promise<void> {
  for (let at = 0; at < count; at++) assert.equal(await service.post(`late ${at}`.padEnd(length, 'x')), 201);
}

describe('D83 – a backup is copied over the file', { skip: noSqlite, concurrency: 4 }, () => {
  for (const [log, changes] of Object.entries(CHANGES)) {
    /** Returns the paths of the files of a service that was changed after its backup. */
    async function changed(t: TestContext) {
      const folder = temporaryFolder();
      const [file, backup] = [join(folder, 'todo.db'), join(folder, 'backup.db')];
      const service = await start(t, file);
      await service.post('early');
      const { status, stdout, stderr } = copyStore(file, backup);
      assert.deepEqual([status, stderr], [0, ''], stdout);
      await change(service, changes);
      return { service, file, backup };
    }
    const assertRestored = async (t: TestContext, file: string): Promise<void> => {
      const service = await start(t, file);
      assert.equal(service.code, null, service.errors());
      assert.deepEqual(await service.names(), ['Item1', 'early']);
      assert.equal(await service.post('new'), 201);
      await service.end('SIGTERM');
    };

    test(`${log}; the service is killed → the start is refused until the log is deleted`, async (t) => {
      const { service, file, backup } = await changed(t);
      await service.end('SIGKILL');
      copyFileSync(backup, file);
      const { code, errors } = await start(t, file);
      const remedy = `end other programs that have it open, and delete "${file}-wal", "${file}-shm" and`;
      assert.ok(errors().includes(`perhaps because it is a restored backup; put back "${file}" and`), errors());
      assert.ok(errors().endsWith(`${remedy} "${file}-journal"\n`), errors());
      assert.equal(code, 2);
      assert.deepEqual(readFileSync(file), readFileSync(backup));
      for (const end of ['-wal', '-shm']) rmSync(file + end);
      await assertRestored(t, file);
    });

    test(`${log}; the service is stopped → it has the items of the backup`, async (t) => {
      const { service, file, backup } = await changed(t);
      await service.end('SIGTERM');
      copyFileSync(backup, file);
      await assertRestored(t, file);
    });

    for (const signal of ['SIGTERM', 'SIGKILL'] as const)
      test(`${log}; the service runs → it refuses changes; after a ${signal} it starts with the backup, or not`, async (t) => {
        const { service, file, backup } = await changed(t);
        copyFileSync(backup, file);
        assert.equal(await service.post('lost'), 503);
        assert.match(service.errors(), /cannot be reached: its file was removed, moved or replaced; put it back, or/);
        assert.deepEqual(readFileSync(file), readFileSync(backup));
        await service.end(signal);
        assert.deepEqual(readFileSync(file), readFileSync(backup));
        if (signal === 'SIGTERM') return assertRestored(t, file);
        const { code, errors } = await start(t, file);
        assert.match(errors(), /the log ".+" does not belong to it/);
        assert.equal(code, 2);
      });
  }

  test('a second copy to the same name → refused, and the backup is unchanged', async (t) => {
    const folder = temporaryFolder();
    const [file, backup] = [join(folder, 'todo.db'), join(folder, 'backup.db')];
    const service = await start(t, file);
    assert.equal(copyStore(file, backup).status, 0);
    await service.post('later');
    const before = readFileSync(backup);
    const { status, stderr } = copyStore(file, backup);
    assert.match(stderr, /^Cannot keep items in ".+backup\.db": it already has items; name an empty store\n$/);
    assert.equal(status, 2);
    assert.deepEqual(readFileSync(backup), before);
  });

  test('a service is killed, its file unchanged → it has every item', async (t) => {
    const file = join(temporaryFolder(), 'todo.db');
    const service = await start(t, file);
    await service.post('early');
    await service.end('SIGKILL');
    assert.deepEqual(await (await start(t, file)).names(), ['Item1', 'early']);
  });

  test('a copy is killed → the target is as before, and the next copy succeeds', async (t) => {
    const folder = temporaryFolder();
    const [file, backup] = [join(folder, 'todo.db'), join(folder, 'backup.db')];
    await (await start(t, file)).end('SIGTERM');
    await killCopy(backup);
    assert.ok(!existsSync(backup));
    writeFileSync(backup, '');
    await killCopy(backup);
    assert.equal(statSync(backup).size, 0);
    const { status, stderr } = copyStore(file, backup);
    assert.deepEqual([status, stderr], [0, '']);
    assert.ok(!existsSync(`${backup}-incomplete`));
    assert.deepEqual(await (await start(t, backup)).names(), ['Item1']);
  });
});

/** A user without a name, as `DynamicUser` of systemd has. */
const OTHER: User = { uid: 64_123, gid: 64_124 };
const noRoot = process.getuid?.() === 0 ? noSqlite || noOther() : 'only root can run a service as another user';

function noOther(): string | false {
  const { status } = spawnSync(process.execPath, ['--eval', ''], OTHER);
  return status === 0 ? false : `another user than root cannot run ${process.execPath}`;
}

/** Creates a folder that other users may read. */
function openFolder(): string {
  const root = temporaryFolder();
  chmodSync(root, 0o755);
  return root;
}

/** Creates a folder of the other user, like `StateDirectory` of systemd. */
function stateDirectory(): string {
  const folder = join(openFolder(), 'todo');
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, OTHER.uid, OTHER.gid);
  return folder;
}

const ownerOf = (path: string): User => {
  const { uid, gid } = statSync(path);
  return { uid, gid };
};

describe('D86 – files that root makes for a service of another user', { skip: noRoot }, () => {
  const program = [join(openFolder(), 'todo.cjs')] as const;
  before(async () => writeFileSync(program[0], await oneFile({ version: '1.0.0', commit: 'unknown', modified: 0 })));
  const startAsOther = (t: TestContext, file: string) => start(t, file, program, OTHER);

  test('the steps of the page → the service starts with the items of the backup', async (t) => {
    const folder = stateDirectory();
    const [file, backup] = [join(folder, 'todo.db'), join(dirname(folder), 'backup.db')];
    const service = await startAsOther(t, file);
    await service.post('early');
    assert.equal(copyStore(file, backup).status, 0);
    await service.post('late');
    await service.end('SIGKILL');
    const page = textOf('src/guide/operate/backups.md');
    const [, steps = ''] = /```sh\n(systemctl stop todo\ncd [^]*?systemctl start todo\n)```/.exec(page) ?? [];
    const script = steps
      .replaceAll(/^systemctl .*\n/gm, '')
      .replaceAll('/var/lib/todo', folder)
      .replaceAll('/var/backups/todo/todo-1.db', backup)
      .replaceAll(/^node \S+/gm, [process.execPath, ...program].join(' '));
    assert.match(script, /--copy-store/);
    const { status, stderr } = spawnSync('sh', ['-ec', script], { encoding: 'utf8', cwd: ROOT });
    assert.deepEqual([status, stderr], [0, '']);
    for (const name of readdirSync(folder).filter((name) => name.startsWith('todo.db'))) {
      assert.deepEqual(ownerOf(join(folder, name)), OTHER, name);
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
    const restored = await startAsOther(t, file);
    assert.equal(restored.code, null, restored.errors());
    assert.deepEqual(await restored.names(), ['Item1', 'early']);
  });

  test('a copy to a file that is replaced → has its owner and its mode', async () => {
    const folder = stateDirectory();
    const [file, backup] = [join(folder, 'todo.db'), join(folder, 'backup.db')];
    assert.equal(runProgram('--check', '--store', file).status, 0);
    writeFileSync(backup, '');
    chmodSync(backup, 0o640);
    chownSync(backup, OTHER.uid, 0);
    assert.equal(copyStore(await emptyList(), backup).status, 0);
    assert.deepEqual(ownerOf(backup), { uid: OTHER.uid, gid: 0 });
    assert.equal(statSync(backup).mode & 0o777, 0o640);
  });

  test('a service that root starts once → its files have the owner of the folder', async (t) => {
    const file = join(stateDirectory(), 'todo.db');
    await (await start(t, file)).end('SIGTERM');
    const service = await startAsOther(t, file);
    assert.equal(service.code, null, service.errors());
    assert.equal(await service.post('early'), 201);
  });

  for (const name of ['', '-lock', '-incomplete', '-id'] as const)
    test(`a link that the other user has planted as todo.db${name} → is not followed`, async () => {
      const folder = stateDirectory();
      const target = join(temporaryFolder(), 'target');
      symlinkSync(target, join(folder, `todo.db${name}`));
      const { status, stderr } = copyStore(await emptyList(), join(folder, 'todo.db'));
      assert.ok(!existsSync(target), 'root has written outside of the folder');
      if (name === '') assert.match(stderr, /it is a symbolic link; name the file ".+" instead\n$/);
      if (name === '-lock') assert.match(stderr, /todo\.db-lock" is a link or a folder; delete it\n$/);
      assert.equal(status, name === '' || name === '-lock' ? 2 : 0, stderr);
    });
});

/** Returns the path of a stored list without items. */
async function emptyList(): Promise<string> {
  const file = join(temporaryFolder(), 'empty.db');
  await fillFile(file, { maxItems: 9, maxBytes: undefined }, (async function* () {})());
  return file;
}
