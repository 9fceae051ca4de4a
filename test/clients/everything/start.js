/** The application that uses everything, as a process of its own, and its documents. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startProcess, TOP } from '../service.js';

const MAIN = 'test/clients/everything/main.ts';

/** Starts it with these flags. `stop()` rejects when it complained of anything, a reply that is not as described too. */
export const startEverything = (...flags) => startProcess(MAIN, flags, /(http:\S+)/);

/** The document with these flags: `2.0` or `3.1`. */
export async function describeEverything(flags, format) {
  const args = ['--import', 'tsx', MAIN, ...flags, '--describe', format];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: TOP, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

export const PLAIN = { name: 'everything-camelCase', flags: [] };
export const SPELT = {
  name: 'everything-PascalCase',
  flags: ['--naming', 'PascalCase', '--base-path', '/service/v2'],
};
