/**
 * Makes V8's code cache of a program, for one version of Node, and tells how the program starts from it.
 *
 * `program-v26.10.0.cache` beside `program.js` has the SHA-256 of that file, and the code that V8 has compiled of it
 * until a first answer: V8 itself compares no more than the lengths of texts.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEEP_CODE = join(import.meta.dirname, 'keep-code.mjs');

/**
 * Runs `main`, in the folder of the program, on this Node, which is the one that takes the cache. Throws, and leaves
 * none, where the program does not answer itself.
 */
export function writeCodeCache(node: string, folder: string, main: string): void {
  const version = execFileSync(node, ['-p', 'process.version'], { encoding: 'utf8' }).trim();
  const cache = join(folder, `program-${version}.cache`);
  // Without code it is one that V8 does not take. From an earlier one, another would be made.
  writeFileSync(
    cache,
    createHash('sha256')
      .update(readFileSync(join(folder, 'program.js')))
      .digest(),
  );
  // One thread and no chance: the same program gives the same bytes. V8 takes the cache also without this flag.
  const options = ['--predictable', '--import', KEEP_CODE, join(folder, main), '--host', '127.0.0.1', '--port', '0'];
  const env = { PATH: process.env['PATH'], CODE_CACHE: cache };
  try {
    execFileSync(node, options, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 });
  } catch (error) {
    rmSync(cache);
    throw error;
  }
}

if (process.argv[1] === import.meta.filename) writeCodeCache(process.execPath, process.argv[2]!, 'main.js');

/**
 * The text of `cachedProgram(part)`: the text of the program and its code for this Node, or undefined where there is no
 * code of this text, which then starts without. `part` gives the bytes of a file, and throws where there is none.
 */
export const CODE_TEXT = `
function cachedProgram(part) {
  let cache;
  try {
    cache = part('program-' + process.version + '.cache');
  } catch {
    return undefined;
  }
  const program = part('program.js');
  const hash = require('node:crypto').createHash('sha256').update(program).digest();
  if (!hash.equals(cache.subarray(0, hash.length))) return undefined;
  return { text: program.toString('latin1'), code: cache.subarray(hash.length) };
}
`;
