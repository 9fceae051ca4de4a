/**
 * The services of the table of stores: this one in each of its stores, and the same six operations written by hand on
 * fastify over the same store.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from './machine.mjs';
import { startRedis } from './redis-server.mjs';
import { startServer } from './server-process.mjs';
import { hasPeer } from './targets.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
/** Where the service finds the package `redis`, which is none of its own. */
const NODE_PATH = at('../peers/node_modules');
const SQLITE_PEER = at('../peers/fastify-sqlite.mjs');
const REDIS_PEER = at('../peers/fastify-redis.mjs');

/** Has the files of SQLite. */
const folder = mkdtempSync(join(tmpdir(), 'bench-stores-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/**
 * Each with its store, its server, what it needs (a key of `remedies`), and what is started for a place: the path of a
 * file, or the URL of a Redis. `byHand` marks the one to which the others with the same store are compared.
 */
const subjects = (service) => [
  { store: 'memory', server: 'ours', needs: [], target: () => service },
  ...inSqlite(service),
  ...inRedis(service, 'Redis', 'memory'),
  ...inRedis(service, 'Redis, log synced each second', 'log'),
];

const inSqlite = (service) => [
  {
    store: 'SQLite',
    server: 'ours',
    needs: ['--store', 'node:sqlite'],
    target: (file) => ({ ...service, parameters: ['--store', file] }),
  },
  {
    store: 'SQLite',
    server: 'fastify, better-sqlite3',
    byHand: true,
    needs: ['fastify', 'better-sqlite3'],
    target: (file) => ({ file: SQLITE_PEER, env: { BENCH_FILE: file } }),
  },
];

const inRedis = (service, store, redis) => [
  {
    store,
    server: 'ours',
    needs: ['--store', 'redis-server', 'redis'],
    redis,
    target: (url) => ({ ...service, parameters: ['--store', url], env: { NODE_PATH } }),
  },
  {
    store,
    server: 'fastify, redis',
    byHand: true,
    needs: ['fastify', 'redis-server', 'redis'],
    redis,
    target: (url) => ({ file: REDIS_PEER, env: { BENCH_REDIS: url } }),
  },
];

/** Those that can be measured here, each with its name; and why the others cannot, a line each. */
export function storeSubjects(service) {
  const reasons = reasonsFor(service);
  const all = subjects(service).map((subject) => ({
    ...subject,
    name: `${subject.store}: ${subject.server}`,
    reason: subject.needs.map((need) => reasons[need]).find((reason) => reason !== undefined),
  }));
  return {
    measured: all.filter(({ reason }) => reason === undefined),
    leftOut: all.flatMap(({ name, reason }) => (reason === undefined ? [] : [`${name} is left out: ${reason}`])),
  };
}

/** What is missing here, and why. */
function reasonsFor({ file }) {
  const help = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' }).stdout;
  const isNew = isBuiltin('node:sqlite');
  const unless = (isThere, reason) => (isThere ? undefined : reason);
  const peer = (name) => unless(hasPeer(name), `${name} is not installed, \`npm ci --prefix test/bench/peers\``);
  return {
    '--store': unless(help.includes('--store '), 'this build has no setting --store'),
    'node:sqlite': unless(isNew, `Node ${process.version} has no node:sqlite, run the bench with 22.13 or later`),
    'better-sqlite3': unless(isNew, `better-sqlite3 needs Node 22 or later`) ?? peer('better-sqlite3'),
    'redis-server': unless(installed('redis-server'), 'redis-server is not installed'),
    fastify: peer('fastify'),
    redis: peer('redis'),
  };
}

/** Starts a subject with a store that is empty but for its first item; `stop` ends the store as well. */
export async function startStoreSubject({ name, redis: kept, target }) {
  const redis = kept === undefined ? undefined : await startRedis(kept);
  const place = redis?.url ?? join(folder, `${++files}.db`);
  const server = await startServer({ ...target(place), name, isPinned: false });
  return {
    ...server,
    redis,
    async stop() {
      await server.stop();
      await redis?.stop();
    },
  };
}
