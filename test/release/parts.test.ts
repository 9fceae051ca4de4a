/**
 * Tests the service with V8's code cache, as `npm run build` makes it (D122), and in parts, as the executable and the
 * image start (D89, D90). `npm run test:release` runs those.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { buildProgram } from './build.ts';
import { ROOT } from './build-facts.ts';
import { writeCodeCache } from './code-cache.ts';
import { writeParts } from './parts.ts';
import { assertAnswers } from './running-program.ts';

const FACTS = { version: '1.0.0', commit: '0123456789ab', modified: 0 };
const FILES = {
  'plugin.mjs': `export default ({ route, text }) => ({
    name: 'plugin', routes: [route({ path: 'plugin', handle: () => text('plugin') })] });`,
  // Tells, for each script that is compiled from a cache, whether V8 took it.
  'taken.mjs': `import { appendFileSync } from 'node:fs';
    import vm from 'node:vm';
    vm.Script = class extends vm.Script {
      constructor(text, options) {
        super(text, options);
        if (options?.cachedData) appendFileSync(process.env.TAKEN, this.cachedDataRejected ? 'refused' : 'taken');
      }
    };`,
};

/** Starts `main` of a folder, with a plugin file; returns what V8 did with its code cache. */
async function started(folder: string, main: string): Promise<string> {
  const taken = join(folder, 'taken');
  writeFileSync(taken, '');
  const flags = ['--import', join(folder, 'taken.mjs'), join(folder, main), '--plugin', join(folder, 'plugin.mjs')];
  await assertAnswers([process.execPath, ...flags], { ...process.env, TAKEN: taken });
  return readFileSync(taken, 'utf8');
}

/** A byte of a cache is changed. */
function change(cache: string, at: number): void {
  const bytes = readFileSync(cache);
  bytes[at] = bytes[at]! ^ 255;
  writeFileSync(cache, bytes);
}

test('D122 – parts → the same code twice, which V8 takes; with one of other flags or of another program, and without, it answers', async () => {
  const folder = temporaryFolder(FILES);
  const cache = join(folder, `program-${process.version}.cache`);
  await writeParts(folder, FACTS, process.execPath);
  const first = readFileSync(cache);
  await writeParts(folder, FACTS, process.execPath);
  assert.ok(first.equals(readFileSync(cache)));
  assert.equal(await started(folder, 'todo.cjs'), 'taken');
  // Behind the hash of the program and a word, V8 has its version and flags.
  change(cache, 32 + 4);
  assert.equal(await started(folder, 'todo.cjs'), 'refused');
  change(cache, 0);
  assert.equal(await started(folder, 'todo.cjs'), '');
  rmSync(cache);
  assert.equal(await started(folder, 'todo.cjs'), '');
});

test('D122 – the built program → V8 takes the code; an edit that keeps its length is what runs', async () => {
  const folder = temporaryFolder(FILES);
  const dist = join(folder, 'dist');
  symlinkSync(join(ROOT, 'static'), join(folder, 'static'));
  const main = await buildProgram(dist, FACTS);
  writeCodeCache(process.execPath, dist, 'main.js');
  assert.equal(await started(folder, 'dist/main.js'), 'taken');
  const version = (): string => execFileSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  assert.equal(version(), '1.0.0 (commit 0123456789ab)\n');
  const program = join(dist, 'program.js');
  writeFileSync(program, readFileSync(program, 'utf8').replaceAll('1.0.0 (commit', '9.0.0 (commit'));
  assert.equal(version(), '9.0.0 (commit 0123456789ab)\n');
});
