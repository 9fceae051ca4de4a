/** Tests the facts in a build, its start on each version of Node, and its readable errors. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { textOf } from '../house/source-files.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildModules } from './build.ts';
import { buildFacts, ROOT, versionText } from './build-facts.ts';
import { START_TEXT } from './start-text.ts';

const { version } = JSON.parse(textOf('package.json')) as { version: string };

test('D88 – COMMIT and SOURCE_DATE_EPOCH → replace the facts from git', () => {
  const facts = buildFacts({ COMMIT: '0123456789ab', SOURCE_DATE_EPOCH: '1790000000' });
  assert.deepEqual(facts, { version, commit: '0123456789ab', modified: 1_790_000_000_000 });
  assert.equal(versionText(facts), `${version} (commit 0123456789ab)`);
});

test('D88 – neither of them → uses the commit of git with its time, or unknown', () => {
  const { commit, modified } = buildFacts({});
  assert.match(commit, /^(?:[0-9a-f]{12,}(?:, changed)?|unknown)$/);
  assert.equal(modified > 0, commit !== 'unknown');
});

for (const epoch of ['yesterday', '-1', '1.5'])
  test(`D88 – SOURCE_DATE_EPOCH ${epoch} → throws`, () =>
    assert.throws(
      () => buildFacts({ SOURCE_DATE_EPOCH: epoch }),
      new RegExp(
        `^RangeError: Cannot build: SOURCE_DATE_EPOCH "${epoch}" is not a time; set it to seconds since 1970$`,
      ),
    ));

test('D91 – the commands of the page to build it yourself → the bytes that a clone of the commit builds', {
  skip: !existsSync(join(ROOT, '.git')) && 'this is not a clone of the repository',
}, () => {
  const [, commands = ''] =
    /build it yourself:[^]*?```sh\n([^]*?)```/.exec(textOf('src/guide/operate/air-gap.md')) ?? [];
  assert.match(commands, /npm ci --ignore-scripts\n/);
  const folder = temporaryFolder();
  const packages = `ln -s ${join(ROOT, 'node_modules')} node_modules`;
  const run = (script: string): void =>
    void execFileSync('sh', ['-euc', script], { cwd: folder, stdio: 'pipe', env: { ...process.env, COMMIT: '' } });
  run(`git clone --quiet ${ROOT} clone && cd clone && ${packages} && npm run bundle && cp release/todo.cjs ..`);
  run(`cd clone && git archive --format=tar.gz --prefix=todo-item-service-${version}/ \\
    --output=../todo-item-service-${version}-source.tar.gz HEAD`);
  run(commands.replaceAll('VERSION', version).replace('npm ci --ignore-scripts', packages));
});

for (const words of [['--node', process.execPath], ['--node'], ['1.0.0']])
  test(`D91 – npm run release -- ${words.map((word) => word.replace(/^.*\//, '')).join(' ')} → fails with one line before it builds anything`, () => {
    const timeOf = () => statSync(join(ROOT, 'release'), { throwIfNoEntry: false })?.mtimeMs;
    const before = timeOf();
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/release/release.ts', ...words],
      { cwd: ROOT, encoding: 'utf8', timeout: 20_000 },
    );
    assert.deepEqual([status, stdout, timeOf()], [2, '', before]);
    assert.match(stderr, /^Cannot make a release with "[^"\n]+": npm run release takes no arguments; [^\n]+\n$/);
  });

for (const [version, starts] of [
  ['12.22.12', false],
  ['18.20.8', false],
  ['20.18.3', false],
  ['20.19.0', true],
  ['20.20.2', true],
  ['21.7.3', true],
  ['22.0.0', true],
  ['24.0.0', true],
  ['26.10.0', true],
  ['30.0.0', true],
] as const)
  test(`package – Node ${version} → ${starts ? 'the program starts' : 'one line, exit code 2'}`, () => {
    const lines: string[] = [];
    const codes: number[] = [];
    const process = { versions: { node: version }, exit: (code: number) => void codes.push(code) };
    runInNewContext(START_TEXT.replace(/^#!.*/, ''), {
      process,
      console: { error: (line: string) => void lines.push(line) },
    });
    assert.deepEqual(codes, starts ? [] : [2]);
    assert.equal(lines.length, starts ? 0 : 1);
    if (!starts) assert.match(lines[0]!, new RegExp(`^Cannot start: Node ${version} is too old; use `));
  });

test('package – the supported versions → equal those in engines', () =>
  assert.equal(JSON.parse(textOf('package.json')).engines.node, '>=20.19'));

test('package – the start text → has no syntax that an old version of Node cannot parse', () =>
  assert.doesNotMatch(START_TEXT, /\b(?:const|let|class)\b|=>|`|\?\?|\?\.|#(?!!)/));

test('release – an uncaught error of the built library → shows one statement of readable source', async () => {
  const folder = temporaryFolder({});
  await buildModules(folder);
  const library = pathToFileURL(join(folder, 'index.js')).href;
  const program = `import { application } from '${library}'; application([{ name: 'a', stages: [5] }]);`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const [, shown = ''] = stderr.split('\n');
  assert.match(shown, /^ +[^;]*throw new PluginError\([^;]*\);$/, stderr);
});
