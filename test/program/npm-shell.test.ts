/** Tests that `npm start` ends as a supervisor expects (D32). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { ROOT } from '../house/source-files.ts';

test('D32 – SIGTERM to npm start → the service behind its shell stops too', { timeout: 60_000 }, async () => {
  const npm = spawn('npm', ['start', '--', '--port', '0'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (/Page .*\n/.test(printed)) npm.kill('SIGTERM');
  });
  // The service holds the pipe until it ends.
  await once(npm.stdout, 'close');
  assert.match(printed, /^SIGTERM: stopping$/m);
  const [, address = ''] = /(http:\/\/\S+)\/api\/todo/.exec(printed) ?? [];
  await assert.rejects(fetch(address), 'nothing listens');
});
