/** A server in a process of its own, started, found ready, and stopped by its id. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ask } from './ask.mjs';
import { pinned } from './machine.mjs';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A port that was free a moment ago. */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
  });

/** Certificates of this machine: Node reads them at each start, which takes as long again as the start. */
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;

/**
 * Starts `node [options] file` with PORT set, on a processor of its own; resolves when it has answered a list, with the
 * milliseconds that took. With `hasChannel` the process can be sent messages.
 */
export async function startServer({ name, file, env = {}, options = [], hasChannel = false }) {
  const port = await freePort();
  const [program, ...words] = pinned(0, [process.execPath, ...options, file]);
  const started = performance.now();
  const child = spawn(program, words, {
    stdio: ['ignore', 'ignore', 'pipe', ...(hasChannel ? ['ipc'] : [])],
    env: { ...environment, NODE_ENV: 'production', ...env, PORT: String(port) },
  });
  running.add(child);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    if (complaint.length < 4000) complaint += chunk;
  });
  const ended = new Promise((resolve) =>
    child.once('exit', () => {
      running.delete(child);
      resolve();
    }),
  );
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(timer);
  };
  for (;;) {
    if (!running.has(child)) throw new Error(`${name} ended at its start: ${complaint}`);
    const answer = await ask(port, 'GET', '/api/todo').catch(() => undefined);
    if (answer !== undefined)
      return { name, port, child, pid: child.pid, firstAnswer: performance.now() - started, stop };
    if (performance.now() - started > 30_000) throw new Error(`${name} did not answer: ${complaint}`);
    await wait(0.2);
  }
}
