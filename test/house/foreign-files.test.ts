/** What is not the project's lies in a checkout and fails no test: folders of editors, logs, notes (house). */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filesIn, topLevel } from './source-files.ts';

const OURS = {
  'package.json': '{"name":"x","version":"1.0.0","files":["dist","src"]}',
  '.gitignore': 'dist/\nnode_modules/\n*.log\n',
  '.ci/run': '',
  'src/a.ts': '',
  'src/http/b.ts': '',
  'test/house/c.test.ts': '',
};
const FOREIGN = [
  '.idea/workspace.xml',
  '.vscode/settings.json',
  'notes.log',
  'notes.txt',
  '.a.ts.swp',
  'TODO',
  'node_modules/x/index.js',
  'dist/main.js',
  'coverage/x.js',
  'mine/x.ts',
  'src/.idea/x.ts',
  'src/notes.log',
  'src/notes.txt',
  'src/.#a.ts',
  'src/http/.b.ts.swp',
  'src/a.ts~',
  'test/.vscode/x.js',
  'test/house/notes',
  'test/clients/node_modules/x/x.js',
];
const hasGit = spawnSync('git', ['--version']).status === 0;

/** A checkout with what is its owner's beside what is the project's. */
function checkout(withGit: boolean): string {
  const root = temporaryFolder(OURS);
  const env = { PATH: process.env['PATH'] };
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: root, stdio: 'pipe', env });
  if (withGit) {
    git('init', '--quiet');
    git('add', '.');
  }
  for (const path of FOREIGN) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  // Emacs locks a file with a link to nowhere.
  symlinkSync('nowhere', join(root, 'src/b.ts'));
  return root;
}

test('house – a clone with files of its owner → the top level and the files are those that git tracks', {
  skip: !hasGit,
}, () => {
  const root = checkout(true);
  assert.deepEqual(topLevel(root), ['.ci', '.gitignore', 'package.json', 'src', 'test']);
  assert.deepEqual(filesIn('', root), Object.keys(OURS).sort());
});

test('house – a new source that git does not ignore → judged before it is added; one that is gone is not', {
  skip: !hasGit,
}, () => {
  const root = checkout(true);
  writeFileSync(join(root, 'src/http/new.ts'), '');
  rmSync(join(root, 'src/a.ts'));
  assert.deepEqual(filesIn('src', root), ['src/http/b.ts', 'src/http/new.ts']);
});

test('house – a hook of git runs the tests → the checkout is judged all the same', { skip: !hasGit }, (t) => {
  const root = checkout(true);
  process.env['GIT_INDEX_FILE'] = join(root, 'no-index');
  t.after(() => {
    delete process.env['GIT_INDEX_FILE'];
  });
  assert.deepEqual(filesIn('test', root), ['test/house/c.test.ts']);
});

test('house – an archive without git, with files of its owner → the top level is what the package brings, the files are sources', () => {
  const root = checkout(false);
  assert.deepEqual(topLevel(root), ['package.json', 'src']);
  assert.deepEqual(filesIn('', root), ['src/a.ts', 'src/http/b.ts', 'test/house/c.test.ts']);
  assert.deepEqual(filesIn('absent', root), []);
});

test('house – a repository around a checkout that is none → not asked', { skip: !hasGit }, () => {
  const outer = checkout(true);
  const root = join(outer, 'inner');
  for (const [path, text] of Object.entries(OURS)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  assert.deepEqual(filesIn('src', root), ['src/a.ts', 'src/http/b.ts']);
});
