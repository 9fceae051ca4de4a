/** Connects to Redis with the clients of the package `redis`, which the user installs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { StoreError } from '../../plugins/collection/collection.ts';
import { unreachable } from '../../plugins/collection/store-error.ts';
import { messageOf, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** The name and the arguments of a command. The array is mutable, because the package requires this type. */
type Words = string[];

interface RedisClient {
  on(event: 'error' | 'node-error' | 'client-error', listener: (event: never) => void): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

/** The members of the package `redis` that the store uses. */
export interface RedisPackage {
  createClient(options: object): RedisClient & { sendCommand(words: Words): Promise<unknown> };
  createCluster(options: object): RedisClient & {
    sendCommand(key: string, isReadOnly: boolean, words: Words): Promise<unknown>;
  };
  createSentinel(options: object): RedisClient & {
    sendCommand(isReadOnly: boolean, words: Words): Promise<unknown>;
  };
}

/** A connection to Redis. After the connection is lost, `send` rejects at once. */
export interface ConnectedRedis {
  send(words: Words): Promise<unknown>;
  close(): void;
}

/** The interval between pings on an idle connection, in milliseconds. */
const PING_INTERVAL = 4000;

/**
 * Connects to the server of a list. `timeout` is the time for one command, in milliseconds. Calls `lost` when the
 * connection is lost later. If the connection fails, closes it and rejects with the error of the client.
 */
export async function connectRedis(
  redis: RedisPackage,
  location: RedisLocation,
  timeout: number,
  lost: (error: unknown) => void,
): Promise<ConnectedRedis> {
  const { servers } = location;
  const connectTimeout = Math.max(timeout, 1000);
  const socketTimeout = timeout + 2 * PING_INTERVAL;
  // The client may first try all the other servers, and wait for each of them in vain.
  const longest = connectTimeout + socketTimeout * (servers.length - 1);
  const { client, send } = clientOf(redis, location, { connectTimeout, socketTimeout }, lost);
  let cause: unknown;
  // The errors of these events have more details than the error of `connect`. Without a listener, an event would end
  // the process.
  const note = (error: unknown) => {
    cause = error;
  };
  client.on('error', note);
  client.on('client-error', ({ error }: { readonly error: unknown }) => note(error));
  const close = async () => {
    try {
      await client.destroy();
    } catch {
      // The client is already closed.
    }
  };
  try {
    await withinTime(client.connect(), longest);
  } catch (error) {
    void close();
    throw cause ?? error;
  }
  return { send, close };
}

function clientOf(redis: RedisPackage, location: RedisLocation, times: object, lost: (error: unknown) => void) {
  const { kind, servers, master, isSecure, username, password, database, keys } = location;
  // Without `reconnectStrategy: false`, the client would reconnect to the same server for ever, even after the server
  // has become a replica. It would also keep a broken connection as long as requests are written to it (D85).
  const socket = { ...times, reconnectStrategy: false, ...(isSecure && { tls: true }), ...certificateOf(location) };
  const common = {
    // With an offline queue, a command would wait for a connection even after the HTTP client has left.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    // With these notifications, a command may wait while the client moves to another server.
    maintNotifications: 'disabled',
  };
  const options = { ...common, socket, username, password, database };
  if (kind === 'cluster') {
    const rootNodes = servers.map((server) => ({ socket: server }));
    const client = redis.createCluster({ rootNodes, defaults: options, minimizeConnections: true });
    // Ignored, because the list may be on another node. If it is on this node, the next command fails.
    client.on('node-error', () => {});
    return { client, send: (words: Words) => client.sendCommand(keys.items, false, words) };
  }
  if (kind === 'sentinel') {
    const client = redis.createSentinel({
      name: master,
      sentinelRootNodes: servers,
      // The user and the password of the URL are not sent to sentinels.
      sentinelClientOptions: { ...common, socket },
      nodeClientOptions: options,
      // No scans: sentinels announce each failover, and after a scan without a reachable sentinel the client would
      // reject commands.
      scanInterval: 0,
      // No retries, because a command may have run even if its answer was lost.
      maxCommandRediscovers: 0,
    });
    client.on('client-error', ({ type, error }: { readonly type: string; readonly error: unknown }) => {
      if (type === 'MASTER') lost(error);
    });
    return { client, send: (words: Words) => client.sendCommand(false, words) };
  }
  const client = redis.createClient({ ...options, socket: { ...socket, ...servers[0] } });
  client.on('error', lost);
  return { client, send: (words: Words) => client.sendCommand(words) };
}

/** Resolves to the answer. Rejects with an `HttpProblem` of 503 after `timeout` milliseconds without an answer. */
export async function withinTime<Answer>(answer: Promise<Answer>, timeout: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable(`The store did not answer within ${timeout} ms`, 2)), timeout);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const certificateOf = ({ certificate }: RedisLocation) =>
  certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };

/** Throws a `StoreError` if the package or the certificate in the URL cannot be loaded. Does not connect. */
export function assertRedis(location: RedisLocation): void {
  try {
    const certificate = certificateOf(location);
    if (certificate) createSecureContext(certificate);
  } catch (error) {
    throw startError(error, location);
  }
  redisPackage(location.what);
}

// Not "npm install redis", because npm does not install the optional peers of a package in a clone of that package.
const INSTALL = 'run "npm install --ignore-scripts --prefix client redis", and add client/node_modules to NODE_PATH';

/**
 * Loads the package `redis` from the `node_modules` of the service or of the working directory, or from `NODE_PATH`.
 * Throws a `StoreError` if the package is not found. `what` is the name of the store in messages.
 */
export function redisPackage(what: string): RedisPackage {
  const require = createRequire(join(process.cwd(), 'package.json'));
  // A program bundled as CommonJS has no `import.meta.dirname`.
  const folder = (import.meta.dirname as string | undefined) ?? dirname(process.argv[1] ?? '');
  let found: RedisPackage;
  try {
    found = require(require.resolve('redis', { paths: [folder, process.cwd()] })) as RedisPackage;
  } catch (error) {
    // ERR_ACCESS_DENIED: Node may not read the folder, so it cannot find the package.
    const isMissing = ['MODULE_NOT_FOUND', 'ERR_ACCESS_DENIED'].includes((error as NodeJS.ErrnoException).code ?? '');
    const rights = process.execArgv.includes('--permission') ? ', with the right to read it' : '';
    const fault = isMissing
      ? `is not installed; ${INSTALL}${rights}`
      : `cannot be loaded (${messageOf(error)}); install it again`;
    throw new StoreError(what, `the package "redis" ${fault}`, { cause: error });
  }
  if ('createSentinel' in found) return found;
  throw new StoreError(what, 'the package "redis" is too old; install version 5.1 or newer');
}
