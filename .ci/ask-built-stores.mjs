/**
 * Starts the built service with a persistent store, stops it, and checks that the items are still there.
 *
 * On a Node without SQLite, it checks the error message instead. It also tests Redis if the machine has redis-server
 * and `test/engines` is installed.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'stores-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const clients = resolve('test/engines/node_modules');
const env = { ...process.env, NODE_PATH: clients };

const file = ['--store', join(folder, 'todo.db')];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  const { status, stderr } = spawnSync(process.execPath, ['dist/main.js', ...file], { encoding: 'utf8' });
  assert.match(stderr, /^Cannot keep items in ".*todo\.db": Node \S+ has no SQLite; run Node 22\.13 or later, .*\n$/);
  assert.equal(status, 2);
  console.log('This Node has no SQLite: the service reports it in one line and exits');
} else {
  await lasts(file, 'SIGKILL');
  console.log('Items in a file survive a restart');
}

if (spawnSync('redis-server', ['--version']).error !== undefined || !existsSync(join(clients, 'redis'))) {
  console.log('skipped: redis-server or its client is not installed');
} else {
  const port = await freePort();
  const engine = spawn('redis-server', ['--port', String(port), '--save', '', '--dir', folder], { stdio: 'ignore' });
  try {
    await lasts(['--store', `redis://127.0.0.1:${port}`], 'SIGTERM');
    console.log('Items in Redis survive a restart');
  } finally {
    engine.kill('SIGKILL');
  }
}

/** Starts the service twice and checks that the second process has the item that the first one stored. */
async function lasts(flags, signal) {
  const first = await start(flags);
  const made = await fetch(`${first.base}/api/todo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'lasts' }),
  });
  assert.equal(made.status, 201);
  await first.end(signal);
  const second = await start(flags);
  const found = await fetch(second.base + made.headers.get('location'));
  assert.equal(found.headers.get('etag'), made.headers.get('etag'));
  assert.equal((await found.json()).name, 'lasts');
  assert.equal((await (await fetch(`${second.base}/api/todo`)).json()).length, 2);
  assert.deepEqual(await second.end('SIGTERM'), [0, null]);
}

async function start(flags) {
  const service = spawn(process.execPath, ['dist/main.js', '--port', '0', ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(service, 'exit');
  let said = '';
  for (const stream of [service.stdout, service.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const listening = async () => {
    while (!/Page/.test(said)) await once(service.stdout, 'data');
  };
  await Promise.race([listening(), ended.then(() => assert.fail(said))]);
  assert.doesNotMatch(said, /warning/i);
  const end = (signal) => {
    service.kill(signal);
    return ended;
  };
  return { base: /(http:\/\/\S+)\/api\/todo/.exec(said)[1], end };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
