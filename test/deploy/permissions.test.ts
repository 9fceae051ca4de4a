/**
 * Tests the permissions that `README.md` in this folder names for each setting. With them, the service answers. Without
 * them, it reports the missing permission and exits. The tests use the current Node; CI runs them on 22, 24 and 26.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { textOf } from '../house/source-files.ts';
import { oneFile } from '../release/one-file.ts';
import { assertAnswers, assertTraced } from '../release/running-program.ts';
import { CLIENT_FOLDER, noEngine, startEngine } from '../support/lasting-stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MAJOR = Number(process.versions.node.split('.')[0]);
const skip = MAJOR < 22 && `Node ${process.versions.node} has permissions as an experiment only`;
const NET = MAJOR < 26 ? [] : ['--allow-net'];

/** The rows of the table of settings: each setting with its permissions. */
const [, table = ''] =
  /\| Setting \| Further rights \|\n[^\n]*\n((?:\|.*\n)+)/.exec(textOf('src/guide/operate/README.md')) ?? [];
const ROWS = table
  .trim()
  .split('\n')
  .map((line) => {
    const [setting = '', rights = ''] = line.split('|').slice(1, -1);
    const wordsOf = (cell: string): string[] => /`([^`]*)`/.exec(cell)?.[1]?.split(' ') ?? [];
    return { setting: wordsOf(setting), rights: wordsOf(rights) };
  });

const folder = temporaryFolder({
  'site/a.txt': 'a',
  'info.json': '{}',
  'plugin.mjs': `export default ({ route, text }) => ({
    name: 'plugin', routes: [route({ path: 'plugin', handle: () => text('plugin') })] });`,
  'thief.mjs': `import { readFileSync } from 'node:fs';
    export default { name: 'thief', start() { readFileSync('/etc/hostname'); } };`,
});
const program = join(folder, 'todo.cjs');
if (!skip) writeFileSync(program, await oneFile({ version: '1.0.0', commit: 'unknown', modified: 0 }));

const command = (rights: readonly string[], settings: readonly string[]): string[] => [
  ...['--permission', ...NET, ...rights, program],
  ...settings,
];
/** Returns the output of a service that cannot start. Checks its exit code. */
function refused(rights: readonly string[], settings: readonly string[], code = 2): string {
  const { status, stderr } = spawnSync(process.execPath, command(rights, settings), {
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(status, code);
  return stderr.replace(/^.*(?:Warning: The flag|--trace-warnings).*\n/gm, '');
}

test('permissions – the page → has a row for each setting that needs a permission', () => {
  assert.deepEqual(
    ROWS.map(({ setting: [flag = 'none'] }) => flag),
    ['none', '--trace', '--store', '--static', '--plugin', '--info', '--store'],
  );
});

for (const { setting, rights } of ROWS) {
  const [flag = 'nothing'] = setting;
  const isRedis = setting[1]?.startsWith('redis:');
  test(`permissions – ${setting.join(' ') || 'no setting'} → answers only with ${rights.join(' ') || 'no permission'}`, {
    skip: skip || (isRedis && noEngine('redis-server')),
  }, async (t) => {
    const engine = isRedis ? await startEngine('redis-server') : undefined;
    t.after(() => engine?.stop());
    if (isRedis) cpSync(CLIENT_FOLDER, join(folder, 'node_modules'), { recursive: true });
    const given = (words: readonly string[]): string[] => words.map((word) => word.replace('DIR', folder));
    const settings = engine === undefined ? given(setting) : ['--store', engine.url()];
    const further = flag === '--trace' ? assertTraced : undefined;
    await assertAnswers([process.execPath, ...command(given(rights), settings)], process.env, further);
    if (rights.length === 0) return;
    assert.match(refused([], settings), /^Cannot [^\n]*\b(?:permission|right)\b[^\n]*\n$/);
  });
}

test('permissions – a plugin that reads another file → is stopped by Node', { skip }, () => {
  const thief = join(folder, 'thief.mjs');
  assert.match(refused([`--allow-fs-read=${thief}`], ['--plugin', thief]), /restricted/);
});

test('permissions – the network on Node 26 and later → without --allow-net, the service fails with one line', {
  skip: skip || (MAJOR < 26 && 'the network is no right before Node 26'),
}, () => {
  const words = ['--permission', program, '--port', '0'];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(stderr, 'Cannot start: Node has no right to the network; start it with --allow-net\n');
  assert.equal(status, 2);
});
