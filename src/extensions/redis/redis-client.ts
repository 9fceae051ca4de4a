/** Connects to Redis with the package `redis` that the user has installed. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, unreachable } from '../collection/collection.ts';
import { messageOf, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** A list that may be changed, as the package declares it. */
type Words = string[];
type Send = (words: Words) => Promise<unknown>;

interface RedisClient {
  on(event: 'error' | 'client-error' | 'node-error', listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

/** The members of the package that are used. */
export interface RedisPackage {
  createClient(options: object): RedisClient & { sendCommand(words: Words): Promise<unknown> };
  createSentinel(options: object): RedisClient & { sendCommand(isReadOnly: boolean, words: Words): Promise<unknown> };
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
 * Connects to the server of a list. Rejects with what the client says; `timeout` is the time for one operation, in
 * milliseconds. Nothing is left of a connection that fails. `lost` is called where the connection to a server is lost.
 */
export async function connectRedis(
  redis: RedisPackage,
  location: RedisLocation,
  timeout: number,
  lost: (error: unknown) => void,
): Promise<ConnectedRedis> {
  const connectTimeout = Math.max(timeout, 1000);
  const socketTimeout = timeout + 2 * PING_INTERVAL;
  const [client, send] = clientOf(redis, location, { connectTimeout, socketTimeout }, lost);
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
    await withinTime(client.connect(), connectTimeout + socketTimeout * (location.servers.length - 1));
    return { send, close };
  } catch (error) {
    close();
    throw cause ?? error;
  }
}

function clientOf(
  redis: RedisPackage,
  location: RedisLocation,
  times: object,
  lost: (error: unknown) => void,
): readonly [RedisClient, Send] {
  const { kind, servers, master, isSecure, username, password, database, keys } = location;
  const socket = {
    ...times,
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
    socket,
  };
  const options = { ...common, username, password, database };
  if (kind === 'sentinel') {
    const client = redis.createSentinel({
      name: master,
      sentinelRootNodes: servers,
      sentinelClientOptions: common,
      nodeClientOptions: options,
      // Otherwise a command would be sent again.
      maxCommandRediscovers: 0,
    });
    client.on('client-error', (event) => {
      const { type, error } = event as { readonly type: string; readonly error: unknown };
      if (type === 'MASTER') lost(error);
    });
    return [client, (words) => client.sendCommand(false, words)];
  }
  if (kind === 'cluster') {
    const rootNodes = servers.map((server) => ({ socket: server }));
    const client = redis.createCluster({ rootNodes, defaults: options, minimizeConnections: true });
    // The service works without a node that does not have the list. The next command tells whether that node is lost.
    client.on('node-error', () => {});
    return [client, (words) => client.sendCommand(keys.items, false, words)];
  }
  const client = redis.createClient({ ...options, socket: { ...socket, ...servers[0] } });
  client.on('error', lost);
  return [client, (words) => client.sendCommand(words)];
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
      throw new StoreError(
        what,
        `the package "redis" cannot be loaded (${messageOf(error)}); install it anew`,
        2,
        error,
      );
    // What Node has no right to read is not there for it.
    const rights = process.execArgv.includes('--permission') ? ', with the right to read it' : '';
    // Not "npm install redis": where this package is the project itself, npm installs none of its optional peers.
    const remedy = `run "npm install --prefix client redis", and name client/node_modules in NODE_PATH${rights}`;
    throw new StoreError(what, `the package "redis" is not installed; ${remedy}`, 2, error);
  }
  if (found.createSentinel === undefined)
    throw new StoreError(what, 'the package "redis" is too old; install version 5.1 or newer', 2);
  return found as RedisPackage;
}
