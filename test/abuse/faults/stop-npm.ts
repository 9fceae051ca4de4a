import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { HOME } from '../running-service.ts';
import type { Fault } from './fault.ts';

export const stopNpm: Fault = {
  name: 'SIGTERM to npm start → the service ends with it',
  async run() {
    const npm = spawn('npm', ['start', '--', '--port', '0'], { cwd: HOME, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    while (!/Page .*\n/.test(said)) await once(npm.stdout, 'data', { signal: AbortSignal.timeout(20_000) });
    const port = Number(/:(\d+)\//.exec(said)?.[1]);
    // Closed once nobody holds the pipe, the service included.
    const closed = once(npm.stdout, 'close', { signal: AbortSignal.timeout(5000) });
    npm.kill('SIGTERM');
    await closed;
    const socket = connect(port, '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
  },
};
