/** Tests the one-file service on the current Node (D89). `npm run test:release` tests it on the other versions. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { oneFile } from './one-file.ts';
import { assertAnswers, assertTraced } from './running-program.ts';

const FACTS = { version: '1.0.0', commit: '0123456789ab', modified: 0 };
const folder = temporaryFolder({
  'plugin.mjs': `export default ({ route, text }) => ({
    name: 'plugin', routes: [route({ path: 'plugin', handle: () => text('plugin') })] });`,
});
const file = join(folder, 'todo.cjs');
const text = await oneFile(FACTS);
writeFileSync(file, text);
const run = (...flags: readonly string[]) => spawnSync(process.execPath, [file, ...flags], { encoding: 'utf8' });

test('D89 – the file, alone in a folder → answers with the page and its licences', async () => {
  await assertAnswers([process.execPath, file]);
});

test('D89 – a plugin file that receives the library → is loaded', async () => {
  await assertAnswers([process.execPath, file, '--plugin', join(folder, 'plugin.mjs')]);
});

test('D93 – --trace on → serves the trace page from the file; stages have the names of their functions', async () => {
  await assertAnswers([process.execPath, file, '--trace', 'on'], process.env, async (base) => {
    await assertTraced(base);
    const { stages } = (await (await fetch(`${base}/trace/pipeline`)).json()) as {
      readonly stages: readonly { readonly label: string }[];
    };
    assert.deepEqual(
      // The bundler adds a digit to a name that already exists.
      stages.map(({ label }) => label.replace(/\d$/, '')),
      ['problems', 'swagger-page: swaggerPage', 'routing', 'unanswered'],
    );
  });
});

test('D88 – --version → the version and the commit', () =>
  assert.equal(run('--version').stdout, '1.0.0 (commit 0123456789ab)\n'));

test('D88 – the file → is in strict mode', () => assert.match(text, /^#!\/usr\/bin\/env node\n'use strict';\n/));
