/** Connects to Redis with the package `redis` that the user has installed. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../collection/collection.ts';
import { unreachable } from '../collection/store-error.ts';
import { messageOf, startError } from './redis-fault.ts';
import type { RedisLocation, RedisServer } from './redis-location.ts';
import { primaryOf, watchSentinels } from './redis-sentinels.ts';

/** A list that may be changed, as the package declares it. */
type Words = string[];
type Send = (words: Words) => Promise<unknown>;

interface RedisClient {
  on(event: 'error' | 'node-error', listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

/** The members of the package that are used. */
export interface RedisPackage {
  createClient(options: object): RedisClient & { sendCommand(words: Words): Promise<unknown> };
  createCluster(options: object): RedisClient & {
    sendCommand(key: string, isReadOnly: boolean, words: Words): Promise<unknown>;
  };
}

/** A connection. A command that is sent over a lost one rejects at once. */
export interface ConnectedRedis {
  readonly send: Send;
  close(): void;
}

/** So often a connection that nobody uses is asked, in milliseconds. */
const PING_INTERVAL = 4000;

/**
 * Connects to the server of a list. Rejects with what the client says, or with a `StoreError` where sentinels name no
 * server; `timeout` is the time for one operation, in milliseconds. Nothing is left of a connection that fails. `lost`
 * is called where the connection to a server is lost, or sentinels name another server.
 */
export async function connectRedis(
  redis: RedisPackage,
  location: RedisLocation,
  timeout: number,
  lost: (error: unknown) => void,
): Promise<ConnectedRedis> {
  const { kind, servers, isSecure, username, password, database, keys } = location;
  const connectTimeout = Math.max(timeout, 1000);
  const socketTimeout = timeout + 2 * PING_INTERVAL;
  const socket = {
    connectTimeout,
    socketTimeout,
    // The client would connect to the same server for ever, even after it has become a replica.
    reconnectStrategy: false,
    ...(isSecure && { tls: true }),
    // Read each time, since such certificates are short-lived.
    ...certificateOf(location),
  };
  const common = {
    // A command that waits for a connection would be answered long after its client has left.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    // With them a command may wait while the client changes its server.
    maintNotifications: 'disabled',
  };
  const options = { ...common, username, password, database };
  if (kind === 'cluster') {
    const rootNodes = servers.map((server) => ({ socket: server }));
    const defaults = { ...options, socket };
    const client = redis.createCluster({ rootNodes, defaults, minimizeConnections: true });
    // The service works without a node that does not have the list. The next command tells whether that node is lost.
    client.on('node-error', () => {});
    const close = await opened(client, connectTimeout + socketTimeout * (servers.length - 1));
    return { send: (words) => client.sendCommand(keys.items, false, words), close };
  }

  /** Sends one command to a server that gets neither user nor password. */
  async function ask(server: RedisServer, words: Words): Promise<unknown> {
    // Without HELLO and CLIENT SETINFO, this command gets the reply of a server that refuses connections.
    const options = { ...common, RESP: 2, disableClientInfo: true, socket: { ...socket, ...server } };
    const client = redis.createClient(options);
    const close = await opened(client, connectTimeout);
    return withinTime(client.sendCommand(words), connectTimeout).finally(close);
  }

  const server = kind === 'sentinel' ? await primaryOf(location, ask) : servers[0]!;
  const client = redis.createClient({ ...options, socket: { ...socket, ...server } });
  client.on('error', lost);
  const close = await opened(client, connectTimeout);
  const stopWatching = kind === 'sentinel' ? watchSentinels(location, ask, server, lost) : () => {};
  return {
    send: (words) => client.sendCommand(words),
    close() {
      stopWatching();
      close();
    },
  };
}

/** Connects within so many milliseconds, and returns what closes the connection. */
async function opened(client: RedisClient, timeout: number): Promise<() => void> {
  let cause: unknown;
  // Tells more than the error of `connect`. Without a listener each error would end the process.
  client.on('error', (error) => {
    cause = error;
  });
  // It throws, or rejects, where the client is closed already.
  const close = () =>
    void Promise.resolve(client)
      .then((one) => one.destroy())
      .catch(() => {});
  try {
    await withinTime(client.connect(), timeout);
    return close;
  } catch (error) {
    close();
    throw cause ?? error;
  }
}

/** The reply. Rejects with an `HttpProblem` of 503 where none comes within so many milliseconds. */
export function withinTime<Reply>(reply: Promise<Reply>, timeout: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(unreachable(`The store did not answer within ${timeout} ms`, 2));
    const timer = setTimeout(giveUp, timeout);
    reply.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const certificateOf = ({ certificate }: RedisLocation) =>
  certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };

/**
 * Throws a `StoreError` where the package or the certificate that the URL names is not there, as far as can be told
 * without a connection.
 */
export function assertRedis(location: RedisLocation): void {
  try {
    const certificate = certificateOf(location);
    if (certificate) process.getBuiltinModule('node:tls').createSecureContext(certificate);
  } catch (error) {
    throw startError(error, location);
  }
  redisPackage(location.what);
}

/**
 * The package, from beside the service, from a folder of `NODE_PATH`, or from the working directory. Throws a
 * `StoreError` where it is not there. `what` is the store as messages name it.
 */
export function redisPackage(what: string): RedisPackage {
  // Loaded by who uses it: the start of every service would pay for it.
  const { createRequire } = process.getBuiltinModule('node:module');
  const require = createRequire(join(process.cwd(), 'package.json'));
  // A program that is bundled into CommonJS does not know where it stands.
  const own = (import.meta.dirname as string | undefined) ?? dirname(process.argv[1] ?? '');
  let found: Partial<RedisPackage>;
  try {
    found = require(require.resolve('redis', { paths: [own, process.cwd()] })) as RedisPackage;
  } catch (error) {
    if (!['MODULE_NOT_FOUND', 'ERR_ACCESS_DENIED'].includes(String((error as NodeJS.ErrnoException).code)))
      throw new StoreError(what, `the package "redis" cannot be loaded (${messageOf(error)}); install it anew`, {
        cause: error,
      });
    // What Node has no right to read is not there for it.
    const rights = process.execArgv.includes('--permission') ? ', with the right to read it' : '';
    // Not "npm install redis": where this package is the project itself, npm installs none of its optional peers.
    const install = 'run "npm install --ignore-scripts --prefix client redis"';
    const remedy = `${install}, and name client/node_modules in NODE_PATH${rights}`;
    throw new StoreError(what, `the package "redis" is not installed; ${remedy}`, { cause: error });
  }
  if (!('createSentinel' in found))
    throw new StoreError(what, 'the package "redis" is too old; install version 5.1 or newer');
  return found as RedisPackage;
}
