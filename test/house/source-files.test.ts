/** What is not the project's lies in a checkout and fails no test: folders of editors, logs, notes (house). */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filesIn } from './source-files.ts';

const OURS = ['.ci/run', 'package.json', 'src/a.ts', 'src/http/b.ts', 'static/a.png', 'test/README.md'];
const FOREIGN = [
  ...[
    '.idea/workspace.xml',
    'notes.txt',
    'notes.log',
    '.a.ts.swp',
    'node_modules/x/index.js',
    'dist/main.js',
    'mine/x.ts',
  ],
  ...['src/.idea/x.ts', 'src/notes.log', 'src/.#a.ts', 'src/a.ts~', 'test/clients/node_modules/x/x.js'],
];

test('house – a folder without git, with files of its owner → the files are those of the project', () => {
  const root = temporaryFolder(Object.fromEntries([...OURS, ...FOREIGN].map((path) => [path, ''])));
  // Emacs locks a file with a link to nowhere.
  symlinkSync('nowhere', join(root, 'src/b.ts'));
  assert.deepEqual(filesIn('', root), OURS);
  assert.deepEqual(filesIn('src', root), ['src/a.ts', 'src/http/b.ts']);
});
