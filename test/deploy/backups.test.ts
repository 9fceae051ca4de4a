/**
 * Runs the commands of the page `backups.md` with the built program (D134). Programs that a test cannot have, such as
 * `systemctl` and `docker`, are replaced by stand-ins in the `PATH`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fillFile, itemsOfFile } from '../../src/shelf/sqlite/copy-file.ts';
import { textOf } from '../house/source-files.ts';
import { oneFile } from '../release/one-file.ts';
import { assertAnswers } from '../release/running-program.ts';
import { CLIENT_FOLDER, noEngine, noSqlite, startEngine } from '../support/lasting-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGE = textOf('src/guide/operate/backups.md');
/** The blocks of code below a heading of the page. */
function blocksBelow(heading: string): readonly string[] {
  const [, section = ''] = new RegExp(`^## ${heading}\n([^]*?)(?=^## |(?![^]))`, 'm').exec(PAGE) ?? [];
  return Array.from(section.matchAll(/^```\w*\n([^]*?)^```/gm), ([, block]) => block!);
}
const only = (heading: string): string => {
  const blocks = blocksBelow(heading);
  assert.equal(blocks.length, 1, heading);
  return blocks[0]!;
};
const [NIGHTLY = '', SERVICE = '', TIMER = ''] = blocksBelow('Every night');

/** A volume belongs to user 65532, as `/data` of the image. The stand-in for `docker` knows only the flags of the page. */
const DOCKER = `#!/bin/sh
test "$1" = run || exit 0
shift
user=65532 paths= end=exec
while true; do
  case "$1" in
    --rm) shift ;;
    --detach) end=echo; shift ;;
    --name | -p) shift 2 ;;
    --user) user=$2; shift 2 ;;
    -v)
      case "$2" in
        /*) from=\${2%%:*} ;;
        *) from="$FOLDER/volume-\${2%%:*}"; test -d "$from" || install -d -o 65532 -g 65532 "$from" ;;
      esac
      to=\${2#*:}; paths="$paths;s|^\${to%:ro}/|$from/|"; shift 2 ;;
    *) break ;;
  esac
done
shift
for word; do shift; set -- "$@" "$(echo "$word" | sed "$paths")"; done
$end setpriv --reuid=$user --regid=$user --clear-groups node "$FOLDER/opt/todo.cjs" "$@"
`;

const noSystemd = spawnSync('systemd-analyze', ['--version']).error !== undefined && 'systemd is not installed';
const text = noSqlite === false ? await oneFile({ version: '1.0.0', commit: 'unknown', modified: 0 }) : '';

/** A machine with the program of the page in a folder, in place of `/`. */
function machine(variables: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({ 'opt/todo.cjs': text, 'state/x': '' });
  mkdirSync(join(folder, 'backups'));
  const stand = (name: string, script: string): void =>
    writeFileSync(join(folder, 'opt', name), script, { mode: 0o755 });
  stand('systemctl', '#!/bin/sh\n');
  stand('date', '#!/bin/sh\necho "$DAY"\n');
  stand('docker', DOCKER);
  symlinkSync(process.execPath, join(folder, 'opt/node'));
  const placed = (script: string): string =>
    script
      .replaceAll('/var/backups/todo', join(folder, 'backups'))
      .replaceAll('/var/lib/todo', join(folder, 'state'))
      .replaceAll('/opt/todo', join(folder, 'opt'))
      .replaceAll('/etc/todo/admin', join(folder, 'url'))
      .replaceAll('/tmp/check.db', join(folder, 'check.db'));
  stand('backup', placed(NIGHTLY));
  const env = { ...process.env, PATH: `${join(folder, 'opt')}:${process.env['PATH']}`, FOLDER: folder, ...variables };
  const run = (script: string, more: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = spawnSync('sh', ['-euc', placed(script)], {
      ...{ cwd: folder, encoding: 'utf8', env: { ...env, NODE_PATH: CLIENT_FOLDER, ...more } },
    });
    return { status, stdout, errors: stderr.replaceAll(/^.*(?:ExperimentalWarning|--trace-warnings).*\n/gm, '') };
  };
  /** Runs a script that has to succeed. Returns its output. */
  const succeed = (script: string, more: Readonly<Record<string, string>> = {}): string => {
    const { status, stdout, errors } = run(script, more);
    assert.deepEqual([status, errors], [0, ''], stdout);
    return stdout;
  };
  const backup = (day: number, store: string) => run(`/opt/todo/backup ${store}`, { DAY: String(day) });
  return { folder, env, run, succeed, backup, backups: () => readdirSync(join(folder, 'backups')).sort(), placed };
}

/** Replaces a file by a list of items with these keys. */
async function write(file: string, keys: readonly string[]): Promise<void> {
  for (const end of ['', '-id', '-wal', '-shm', '-lock']) rmSync(file + end, { force: true });
  await fillFile(
    file,
    { maxItems: 99, maxBytes: undefined },
    (async function* () {
      for (const key of keys) yield { key, value: JSON.stringify({ key, name: key, isComplete: false }) };
    })(),
  );
}

async function keysIn(file: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of itemsOfFile(file)) keys.push(key);
  return keys;
}

describe('D134 – the page Backups', { skip: noSqlite, concurrency: 2 }, () => {
  test('eight nights → seven backups, each with the items of its night', async () => {
    const { folder, backup, backups } = machine();
    const store = join(folder, 'state/todo.db');
    for (let night = 1; night <= 8; night++) {
      await write(store, [`night ${night}`]);
      const { status, stdout, errors } = backup(((night - 1) % 7) + 1, store);
      assert.deepEqual([status, errors], [0, '']);
      assert.match(stdout, /^Copied 1 items from .+, and Copied 1 items from .+\n$/);
    }
    assert.deepEqual(
      backups(),
      [1, 2, 3, 4, 5, 6, 7].map((day) => `todo-${day}.db`),
    );
    assert.deepEqual(await keysIn(join(folder, 'backups/todo-1.db')), ['night 8']);
    assert.deepEqual(await keysIn(join(folder, 'backups/todo-2.db')), ['night 2']);
    assert.equal(statSync(join(folder, 'backups/todo-1.db')).mode & 0o777, 0o600);
  });

  for (const [what, damage] of [
    ['the store is missing', 'rm -f "$store"'],
    ['the store is damaged', 'printf damaged | dd of="$store" bs=1 seek=4096 conv=notrunc 2>/dev/null'],
    ['the copy is damaged', 'export TODO="sh $FOLDER/damage"'],
    ['the copy has fewer items', 'export TODO="sh $FOLDER/shorten"'],
  ] as const)
    test(`a night in which ${what} → fails, and the backup of a week ago is unchanged; the next night succeeds`, async () => {
      const { folder, backup, run, succeed, backups } = machine();
      const store = join(folder, 'state/todo.db');
      await write(store, ['first', 'second']);
      assert.equal(backup(1, store).status, 0);
      const before = readFileSync(join(folder, 'backups/todo-1.db'));
      const copy = 'node "$FOLDER/opt/todo.cjs" "$@"\n';
      writeFileSync(
        join(folder, 'damage'),
        `${copy}printf damaged | dd of="$3" bs=1 seek=4096 conv=notrunc 2>/dev/null\n`,
      );
      writeFileSync(
        join(folder, 'shorten'),
        `${copy}rm -f "$3"; node "$FOLDER/opt/todo.cjs" --copy-store "$FOLDER/empty.db" "$3" >/dev/null\n`,
      );
      await write(join(folder, 'empty.db'), []);
      assert.notEqual(run(`${damage}\n/opt/todo/backup "$store"`, { DAY: '1', store }).status, 0);
      assert.deepEqual(readFileSync(join(folder, 'backups/todo-1.db')), before);
      await write(store, ['third']);
      succeed('/opt/todo/backup "$store"', { DAY: '1', store });
      assert.deepEqual([backups(), await keysIn(join(folder, 'backups/todo-1.db'))], [['todo-1.db'], ['third']]);
    });

  test('the units → systemd finds no error', { skip: noSystemd }, () => {
    const { folder, placed } = machine();
    for (const unit of [SERVICE, TIMER]) {
      const [, path = ''] = /^# \/etc\/systemd\/system\/(\S+)\n/.exec(unit) ?? [];
      writeFileSync(join(folder, path), placed(unit));
    }
    const names = ['todo-backup.service', 'todo-backup.timer'].map((name) => join(folder, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...names], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('a backup is checked → a second service shows its items, and the backup is unchanged', async () => {
    const { folder, env, placed } = machine();
    const backup = join(folder, 'backups/todo-1.db');
    await write(backup, ['kept']);
    const before = readFileSync(backup);
    const script = placed(only('Check a backup'))
      .replace(/^node /m, 'exec node ')
      .replace(' --port 8099\n', ' "$@"');
    await assertAnswers(['sh', '-euc', script, 'sh'], env, async (base) => {
      assert.equal((await fetch(`${base}/api/todo/kept`)).status, 200);
    });
    assert.deepEqual(readFileSync(backup), before);
  });

  test('Redis: a backup, a change, a restore → the items of the backup; the later ones are in lost.db', {
    skip: noEngine('redis-server'),
  }, async (t) => {
    const engine = await startEngine('redis-server', '--appendonly', 'no');
    t.after(() => engine.stop());
    const { folder, backup, succeed } = machine({ REDISCLI_PORT: String(engine.port) });
    writeFileSync(join(folder, 'url'), engine.url('todo'));
    writeFileSync(
      join(folder, 'opt/redis-cli'),
      `#!/bin/sh\nPATH="\${PATH#*:}" exec redis-cli -p ${engine.port} "$@"\n`,
      { mode: 0o755 },
    );
    const first = join(folder, 'first.db');
    await write(first, ['early', 'kept']);
    succeed(`node /opt/todo/todo.cjs --copy-store ${first} @/etc/todo/admin`);
    const { status, errors } = backup(1, `@${join(folder, 'url')}`);
    assert.deepEqual([status, errors], [0, '']);
    engine.command('HDEL', '{todo}:items', 'early');
    engine.command('ZREM', '{todo}:order', 'early');
    succeed(only('Restore Redis'));
    assert.deepEqual(await keysIn(join(folder, 'backups/lost.db')), ['kept']);
    assert.equal(engine.command('ZRANGE', '{todo}:order', '0', '-1'), 'early\nkept');
    assert.equal(engine.command('HLEN', '{todo}:items'), '2');
  });

  test('a container: a backup of its volume and a restore to a new one → the files belong to the user of the image', {
    skip: process.getuid?.() !== 0 && 'only root can be another user',
  }, async () => {
    const { folder, succeed, backups } = machine();
    chmodSync(folder, 0o755);
    for (const name of ['opt', 'backups']) chmodSync(join(folder, name), 0o755);
    const [nightly = '', restore = ''] = blocksBelow('In a container');
    mkdirSync(join(folder, 'volume-todo'));
    chownSync(join(folder, 'volume-todo'), 65532, 65532);
    await write(join(folder, 'volume-todo/todo.db'), ['kept']);
    succeed(nightly, { DAY: '1' });
    assert.deepEqual(backups(), ['todo-1.db']);
    const started = succeed(restore);
    const restored = join(folder, 'volume-todo-restored/todo.db');
    assert.ok(started.includes(`--store ${restored}`), started);
    assert.deepEqual(await keysIn(restored), ['kept']);
    const { uid, gid, mode } = statSync(restored);
    assert.deepEqual([uid, gid, mode & 0o777], [65532, 65532, 0o600]);
  });

  test('back to an older version, which refuses the newer format → after the restore it has the items before the upgrade', async () => {
    const { folder, run, succeed } = machine();
    const store = join(folder, 'state/todo.db');
    await write(store, ['before']);
    const [before = '', back = ''] = blocksBelow('Back to an older version');
    succeed(before);
    await write(store, ['after']);
    // The format is a number in the header of the file.
    const bytes = readFileSync(store);
    bytes.writeUInt32BE(bytes.readUInt32BE(60) + 1, 60);
    writeFileSync(store, bytes);
    succeed(`printf 'the new version' >/opt/todo/todo.cjs`);
    succeed(back);
    const refused = run(`node /opt/todo/todo.cjs --store /var/lib/todo/todo.db --port 0`);
    assert.match(
      refused.errors,
      /^Cannot keep items in ".+todo\.db": it is not a list of this version of the service; /,
    );
    assert.equal(refused.status, 2);
    assert.deepEqual(readFileSync(store), bytes);
    succeed(only('Restore a file').replace('todo-1.db', 'before.db'));
    assert.deepEqual(await keysIn(store), ['before']);
  });
});
