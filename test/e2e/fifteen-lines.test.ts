/** The fifteen-line app compiles, since the type check includes it, and it runs (embedding). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describe } from '../../src/plugins/description/description.ts';
import { ask } from '../support/ask.ts';
import { assertProblem } from '../support/problem.ts';
import { SOURCE_LOADER } from '../support/program.ts';

test('embedding – the fifteen-line app → serves operations, routes, files and problems', async (t) => {
  assert.equal(typeof describe, 'function');
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const child = spawn(process.execPath, [...SOURCE_LOADER, 'test/e2e/fifteen-lines.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += String(chunk);
  });
  const [first] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => assert.fail(output))]);
  const port = Number(first);
  const time = await ask(port, { target: '/API/clock/utc' });
  assert.equal(time.status, 200);
  assert.equal(time.headers['content-type'], 'application/json');
  assert.match(time.json(), /^\d+:\d\d:\d\d/);
  assert.equal((await ask(port, { target: '/hello' })).text, 'Hello World');
  assert.equal((await ask(port, { target: '/hello/you%20there' })).text, 'Hello you there');
  assert.equal(
    (await ask(port, { target: '/swagger-ui/index.html' })).headers['content-type'],
    'text/html; charset=utf-8',
  );
  assertProblem(await ask(port, { target: '/api/clock/12' }), 404);
  assert.equal(output, '');
  // The zone does not exist. The handler does not expect this error.
  assertProblem(await ask(port, { target: '/api/clock/nowhere' }), 500);
  while (!output.includes('RangeError')) await once(child.stderr, 'data');
});
