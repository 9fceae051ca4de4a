/**
 * The service as a process of its own, for a client to talk to: on a free port, checking every reply against its
 * description.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const TOP = fileURLToPath(new URL('../../', import.meta.url));

/** Starts the service with these flags. */
export const startService = (...flags) =>
  startProcess(
    'src/main.ts',
    ['--port', '0', '--plugin', 'test/support/verified.ts', ...flags],
    /(http:\S+)\/api\/todo/,
  );

/**
 * Starts a program, which prints its address. `stop()` resolves when it is gone; it rejects when the program complained
 * of anything.
 */
export async function startProcess(file, flags, address) {
  const child = spawn(process.execPath, ['--import', 'tsx', file, ...flags], { cwd: TOP });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const base = await addressOf(child, address, () => complaints);
  return {
    base,
    async stop() {
      child.kill('SIGTERM');
      const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
      if (code !== 0 || complaints !== '') throw new Error(`${file} ended with ${code} and said:\n${complaints}`);
    },
  };
}

/** Waits until a process prints an address; rejects when it ends before. */
export function addressOf(child, pattern, complaints) {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const found = pattern.exec(printed);
      if (found) resolve(found[1]);
    });
    child.once('exit', (code) =>
      reject(new Error(`The process ended with ${code} before it listened: ${printed}${complaints()}`)),
    );
  });
}

/** The JSON that a program prints before it ends. */
export async function printedBy(file, ...flags) {
  const args = ['--import', 'tsx', file, ...flags];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: TOP, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}
