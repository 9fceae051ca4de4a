/** Tests the output of `npm run build`, and its start from the compile cache of Node (D122). */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildProgram } from './build.ts';
import { ROOT } from './build-facts.ts';
import { assertAnswers } from './running-program.ts';

const skip = !('enableCompileCache' in module) && `Node ${process.versions.node} has no compile cache`;

const folder = temporaryFolder({
  'plugin.mjs': `export default ({ route, text }) => ({
    name: 'plugin', routes: [route({ path: 'plugin', handle: () => text('plugin') })] });`,
});
symlinkSync(join(ROOT, 'static'), join(folder, 'static'));
const main = await buildProgram(join(folder, 'dist'), { version: '1.0.0', commit: '0123456789ab', modified: 0 });
const program = join(folder, 'dist/program.js');
const cache = join(folder, 'dist/cache');

/** Runs the program with `--version`. Returns its output, and Node's messages about the cache. */
function version(): { readonly stdout: string; readonly told: string } {
  const env = { ...process.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { stdout, stderr } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8', env });
  // Older versions write these messages to standard output.
  const lines = `${stdout}${stderr}`.split('\n');
  const isOfCache = (line: string): boolean => /compile cache|^reading cache/i.test(line);
  const printed = stdout.split('\n').filter((line) => !isOfCache(line));
  return { stdout: printed.join('\n'), told: lines.filter(isOfCache).join('\n') };
}
const PRINTED = '1.0.0 (commit 0123456789ab)\n';

test('D88 – the built program → answers with a plugin file and is in strict mode', async () => {
  await assertAnswers([process.execPath, main, '--plugin', join(folder, 'plugin.mjs')]);
  // A directive is only valid before all other statements.
  assert.match(readFileSync(program, 'utf8'), /^'use strict';/);
});

test('D122 – a second start → uses the code that the first start compiled', { skip }, () => {
  rmSync(cache, { recursive: true, force: true });
  assert.equal(version().stdout, PRINTED);
  const { stdout, told } = version();
  assert.equal(stdout, PRINTED);
  assert.match(told, /program\.js was accepted/);
  const files = readdirSync(cache, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('/'));
  assert.equal(files.length, 1, files.join());
});

test('D122 – a truncated cache, a read-only folder or an edit of equal length → still runs the current program', {
  skip,
}, () => {
  version();
  for (const path of readdirSync(cache, { recursive: true, encoding: 'utf8' }))
    if (path.includes('/')) truncateSync(join(cache, path), 1000);
  assert.equal(version().stdout, PRINTED);
  version();
  writeFileSync(program, readFileSync(program, 'utf8').replaceAll('1.0.0 (commit', '9.0.0 (commit'));
  assert.equal(version().stdout, PRINTED.replace('1.0.0', '9.0.0'));
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'a file in the place of the folder');
  assert.equal(version().stdout, PRINTED.replace('1.0.0', '9.0.0'));
});
