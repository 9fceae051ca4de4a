/**
 * Loads the package `redis` that the user has installed, and declares what is used of it: the same in its versions 4, 5
 * and 6.
 */
import { join } from 'node:path';
import { StoreError } from '../collection/collection.ts';

/** A client of one server. */
export interface RedisClient {
  on(event: 'error' | 'ready', listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(words: readonly string[]): Promise<unknown>;
  /** From version 5 on. */
  destroy?(): void;
  /** Before version 5. */
  disconnect?(): Promise<unknown>;
}

/** A client of all servers of a cluster, which sends each command to the one that has the key. */
export interface RedisCluster extends Omit<RedisClient, 'sendCommand'> {
  sendCommand(key: string, isReadOnly: boolean, words: readonly string[]): Promise<unknown>;
}

/** The members of the package. */
export interface RedisPackage {
  createClient(options: object): RedisClient;
  createCluster(options: object): RedisCluster;
}

/**
 * The package, from beside the service, from a folder of `NODE_PATH`, or from the working directory. Throws a
 * `StoreError` where it is not there. `what` is the store as messages name it.
 */
export function redisPackage(what: string): RedisPackage {
  // Loaded by who uses it: the start of every service would pay for it.
  const { createRequire } = process.getBuiltinModule('node:module');
  // A program that is bundled into CommonJS does not know where it stands.
  const own = (import.meta.url as string | undefined) ?? process.argv[1];
  for (const from of [own, join(process.cwd(), 'package.json')]) {
    if (from === undefined) continue;
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve('redis');
    } catch {
      continue;
    }
    try {
      return require(path) as RedisPackage;
    } catch (error) {
      const cause = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      throw new StoreError(what, `the package "redis" cannot be loaded (${cause}); install it anew`, 2, error);
    }
  }
  // What Node has no right to read is not there for it.
  const rights = process.execArgv.includes('--permission') ? ', with the right to read it' : '';
  // Not "npm install redis": where this package is the project itself, npm installs none of its optional peers.
  const remedy = `run "npm install --prefix client redis", and name client/node_modules in NODE_PATH${rights}`;
  throw new StoreError(what, `the package "redis" is not installed; ${remedy}`, 2);
}
