/** Starts a program as a user does, sends a user's first requests, and stops it as a supervisor does. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { ROOT } from './build-facts.ts';

const BUNDLE_BYTES = statSync(`${ROOT}static/swagger-ui/swagger-ui-bundle.js`).size;

/**
 * Throws unless the program answers with its page, writes only warnings of Node to standard error, and exits. Calls
 * `further` with its address before the exit.
 */
export async function assertAnswers(
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  further: (base: string) => Promise<void> = async () => {},
): Promise<void> {
  const [program = '', ...options] = command;
  const child = spawn(program, [...options, '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close');
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
  try {
    while (!printed.includes('Page')) {
      const hasEnded = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)]);
      if (hasEnded) assert.fail(`it ended: ${printed}${errors}`);
    }
    const [, base = '', port] = /(http:\/\/(?:[\d.]+|\[[^\]]*\]):(\d+))\/api\/todo/.exec(printed) ?? [];
    await assertServes(base.replace('[::]', '127.0.0.1'));
    if (base.includes('[::]')) await assertServes(`http://[::1]:${port}`);
    await further(base.replace('[::]', '127.0.0.1'));
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], `the exit code and the signal: ${errors}`);
  } finally {
    clearTimeout(late);
    child.kill('SIGKILL');
  }
  const faults = errors.split('\n').filter((line) => !/^$|Warning: The flag|--trace-warnings/.test(line));
  assert.deepEqual(faults, []);
}

async function assertServes(base: string): Promise<void> {
  const list = await fetch(`${base}/api/todo`);
  assert.equal(((await list.json()) as unknown[]).length, 1);
  const page = await fetch(`${base}/swagger/ui`);
  assert.match(await page.text(), /swagger-ui-bundle\.js/);
  const bundle = await fetch(`${base}/swagger/ui/swagger-ui-bundle.js`);
  assert.equal((await bundle.arrayBuffer()).byteLength, BUNDLE_BYTES);
  const licences = await fetch(`${base}/swagger/ui/THIRD-PARTY-LICENSES.txt`);
  assert.match(await licences.text(), /lodash/);
}

/** Throws unless the program, started with `--trace on`, serves the trace page and records requests. */
export async function assertTraced(base: string): Promise<void> {
  const page = await fetch(`${base}/trace`);
  assert.match(await page.text(), /<h1>Trace<\/h1>/);
  const script = await fetch(`${base}/trace/trace.js`);
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  await script.body?.cancel();
  await (await fetch(`${base}/api/todo`)).text();
  const [newest] = (await (await fetch(`${base}/trace/requests`)).json()) as { readonly target: string }[];
  assert.equal(newest?.target, '/api/todo');
}
