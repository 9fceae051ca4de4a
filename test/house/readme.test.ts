/**
 * What the README and the guide of plugins show does what it says. A `ts` block behind `<!-- runs -->` runs. In a `sh`
 * block behind `<!-- prints -->` every line behind `$ ` prints the lines below it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { blocksOf, pagePrograms } from './page-programs.ts';
import { filesIn, ROOT, textOf } from './source-files.ts';

const readme = textOf('README.md');

/** A server that a block starts and does not close ends once it listens, and the process with it. */
const ENDING = `data:text/javascript,${encodeURIComponent(`
  import net from 'node:net';
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...given) {
    this.once('listening', () => this.close());
    return listen.apply(this, given);
  };
`)}`;

const folder = temporaryFolder({ 'package.json': '{"type":"module"}' });
const programs = pagePrograms();
for (const [at, program] of programs.entries()) {
  test(`house – program ${at + 1} of the pages, ${JSON.stringify(program.slice(0, 40))} → runs`, () => {
    const file = join(folder, `program-${at}.ts`);
    const source = (path: string): string => `'${pathToFileURL(ROOT).href}src/${path}.ts'`;
    const imports = {
      "'todo-item-service'": source('index'),
      "'./src/index.ts'": source('index'),
      "'todo-item-service/page'": source('plugins/swagger-page/page'),
    };
    const text = Object.entries(imports).reduce((all, [name, path]) => all.replaceAll(name, path), program);
    writeFileSync(file, text);
    const ending = program.includes('close(') ? [] : ['--import', ENDING];
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', ...ending, file], {
      cwd: ROOT,
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.equal(stderr, '');
    assert.equal(status, 0);
  });
}

test('embedding – the README → shows programs that embed the service', () => {
  assert.ok(blocksOf('README.md', 'runs', 'ts').length >= 2, `${programs.length} programs`);
});

for (const block of blocksOf('README.md', 'prints', 'sh')) {
  for (const [, command, printed] of block.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n?)*)/gm)) {
    test(`house – ${command} → prints what the README says`, () => {
      const { stdout, stderr } = spawnSync('sh', ['-c', command!], { cwd: ROOT, encoding: 'utf8', timeout: 20_000 });
      assert.equal(stdout.trimEnd(), printed!.trimEnd(), stderr);
    });
  }
}

/** The scripts of the project and of the packages below `test/`. */
const SCRIPTS = new Set(
  filesIn('')
    .filter((path) => /(?:^|\/)package\.json$/.test(path))
    .flatMap((path) => Object.keys(JSON.parse(textOf(path)).scripts ?? {})),
);

for (const page of filesIn('').filter((path) => path.endsWith('.md') && !path.startsWith('static/swagger-ui/'))) {
  test(`house – files and scripts that ${page} names → are there`, () => {
    const text = textOf(page);
    for (const [, path] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g))
      assert.ok(existsSync(join(ROOT, dirname(page), path!)), `${path} is linked`);
    for (const [, script] of text.matchAll(/\bnpm run ([\w:-]+)/g))
      assert.ok(SCRIPTS.has(script!), `npm run ${script}`);
  });
}

test('house – the README → at most 200 lines', () => {
  assert.ok(readme.trimEnd().split('\n').length <= 200, `${readme.trimEnd().split('\n').length} lines`);
});
