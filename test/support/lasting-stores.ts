/**
 * Persistent stores for tests: SQLite files and the installed engines.
 *
 * The tests start an engine as a process on a free port. The client comes from `test/engines`, which
 * `npm run test:stores` installs. If SQLite, an engine or the client is missing, its tests are skipped with the reason.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RedisClient } from '../../src/shelf/redis/redis-client.ts';
import { isLong } from './long-run.ts';

/** The folder of the installed client, for `NODE_PATH`. `CLIENT_FOLDER=/…/node_modules` selects another version. */
export const CLIENT_FOLDER =
  process.env['CLIENT_FOLDER'] ?? fileURLToPath(new URL('../engines/node_modules', import.meta.url));

/** Changes to the working directory with the client, so that the services of this process find it. */
export const workBesideClient = (): void => process.chdir(dirname(CLIENT_FOLDER));

/** The reason why SQLite cannot be tested on this machine, or false. */
export const noSqlite: string | false = hasSqlite() ? false : `Node ${process.versions.node} has no node:sqlite`;

/** All supported engines. They use the same protocol. */
const ALL_ENGINES = ['redis-server', 'valkey-server'] as const;
export type Engine = (typeof ALL_ENGINES)[number];
/** The engines to test: those in the variable `ENGINES`, else the first installed engine, in the long run all. */
export const ENGINES: readonly Engine[] = ALL_ENGINES.filter((engine) =>
  (process.env['ENGINES'] ?? (isLong ? engine : firstEngine())).split(' ').includes(engine),
);

function firstEngine(): Engine {
  return ALL_ENGINES.find((engine) => noEngine(engine) === false) ?? ALL_ENGINES[0];
}

/** Returns the reason why an engine cannot be tested on this machine, or false. */
export function noEngine(engine: Engine): string | false {
  if (spawnSync(engine, ['--version']).error !== undefined) return `${engine} is not installed`;
  return existsSync(join(CLIENT_FOLDER, 'redis')) ? false : 'npm run test:stores installs the package redis';
}

interface TestClient extends RedisClient {
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: 'error', listener: () => void): unknown;
}

/** Loads the client package. */
export const redis = (): {
  createClient(options: object): TestClient;
  createCluster(options: object): TestClient;
} => createRequire(join(CLIENT_FOLDER, 'x.js'))('redis');

/** A server that a test has started. */
export interface RunningEngine {
  readonly port: number;
  /** Returns `redis://127.0.0.1:PORT/0?list=NAME`. The default is a new name at each call. */
  url(list?: string): string;
  /** Sends a command and returns what `redis-cli` prints. */
  command(...words: readonly string[]): string;
  /** Stops it at once, like a power failure. */
  kill(): Promise<void>;
  /** Starts it again with the same port and folder. */
  restart(): Promise<void>;
  /** Suspends or resumes it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

let lists = 0;

/** Starts an engine on a free port. It writes each change to disk before it answers. */
export async function startEngine(engine: Engine, ...options: readonly string[]): Promise<RunningEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always'];
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(engine, [...flags, ...durable, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    await accepting(child);
  };
  await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGCONT');
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    port,
    url: (list = `list${lists++}`) => `redis://127.0.0.1:${port}/0?list=${list}`,
    command: (...words) =>
      spawnSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8' }).stdout.trimEnd(),
    kill: () => end('SIGKILL'),
    restart: start,
    signal: (signal) => void child.kill(signal),
    async stop() {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepting(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-4000);
      if (/Ready to accept connections/.test(output)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The engine exited with code ${code}: ${output}`)));
  });
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function hasSqlite(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 13);
}
