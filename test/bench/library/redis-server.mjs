/** A server of Redis for one subject: on a free port, with its own folder, ended and removed with it. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './server-process.mjs';

const running = new Map();
process.on('exit', () => {
  for (const [child, folder] of running) {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});

/** What the subjects ask of Redis: nothing on the disk, or each change in a log that is synced once a second. */
const KEPT = {
  memory: ['--appendonly', 'no'],
  log: ['--appendonly', 'yes', '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0'],
};

/** Starts `redis-server`; resolves when it answers. `kept` is `memory` or `log`. */
export async function startRedis(kept) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const child = spawn('redis-server', [...place, '--save', '', ...KEPT[kept]], { stdio: 'ignore' });
  running.set(child, folder);
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries === 500 || child.exitCode !== null) throw new Error('redis-server does not answer');
    await wait(10);
  }
  return {
    pid: child.pid,
    url: `redis://127.0.0.1:${port}/0`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      running.delete(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket
      .on('data', (text) => {
        socket.destroy();
        resolve(text.toString().startsWith('+PONG'));
      })
      .on('error', () => resolve(false));
  });
