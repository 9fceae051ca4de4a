/** Makes clients of the package `redis`, which the user has installed. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { StoreError } from '../collection/collection.ts';
import { unreachable } from '../collection/store-error.ts';
import { messageOf, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** A list that may be changed, as the package declares it. */
type Words = string[];

interface RedisClient {
  on(event: 'error' | 'node-error' | 'client-error', listener: (event: never) => void): unknown;
  connect(): Promise<unknown>;
  destroy(): unknown;
}

/** The members of the package that are used. */
export interface RedisPackage {
  createClient(options: object): RedisClient & { sendCommand(words: Words): Promise<unknown> };
  createCluster(options: object): RedisClient & {
    sendCommand(key: string, isReadOnly: boolean, words: Words): Promise<unknown>;
  };
  createSentinel(options: object): RedisClient & {
    sendCommand(isReadOnly: boolean, words: Words): Promise<unknown>;
  };
}

/** A connection. A command that is sent over a lost one rejects at once. */
export interface ConnectedRedis {
  send(words: Words): Promise<unknown>;
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
  const { servers } = location;
  const connectTimeout = Math.max(timeout, 1000);
  const socketTimeout = timeout + 2 * PING_INTERVAL;
  // Each of the others may be asked before, and not answer.
  const longest = connectTimeout + socketTimeout * (servers.length - 1);
  const { client, send } = clientOf(redis, location, { connectTimeout, socketTimeout }, lost);
  let cause: unknown;
  // Tells more than the error of `connect`. Without a listener each error would end the process.
  const note = (error: unknown) => {
    cause = error;
  };
  client.on('error', note);
  client.on('client-error', ({ error }: { readonly error: unknown }) => note(error));
  const close = async () => {
    try {
      await client.destroy();
    } catch {
      // It is closed already.
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
  // The client would connect to the same server for ever, even after it has become a replica.
  const socket = { ...times, reconnectStrategy: false, ...(isSecure && { tls: true }), ...certificateOf(location) };
  const common = {
    // A command that waits for a connection would be answered long after its client has left.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    // With them a command may wait while the client changes its server.
    maintNotifications: 'disabled',
  };
  const options = { ...common, socket, username, password, database };
  if (kind === 'cluster') {
    const rootNodes = servers.map((server) => ({ socket: server }));
    const client = redis.createCluster({ rootNodes, defaults: options, minimizeConnections: true });
    // The service works without a node that does not have the list. The next command tells whether that node is lost.
    client.on('node-error', () => {});
    return { client, send: (words: Words) => client.sendCommand(keys.items, false, words) };
  }
  if (kind === 'sentinel') {
    const client = redis.createSentinel({
      name: master,
      sentinelRootNodes: servers,
      // Sentinels get neither user nor password.
      sentinelClientOptions: { ...common, socket },
      nodeClientOptions: options,
      // A sentinel tells of each failover. Asked while none of them is there, the client would refuse commands.
      scanInterval: 0,
      // A command is sent once.
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

/** The reply. Rejects with an `HttpProblem` of 503 where none comes within so many milliseconds. */
export async function withinTime<Reply>(reply: Promise<Reply>, timeout: number): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unreachable(`The store did not answer within ${timeout} ms`, 2)), timeout);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}

const certificateOf = ({ certificate }: RedisLocation) =>
  certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };

/** Throws a `StoreError` where the package or the certificate that the URL names cannot be loaded. Connects to nothing. */
export function assertRedis(location: RedisLocation): void {
  try {
    const certificate = certificateOf(location);
    if (certificate) createSecureContext(certificate);
  } catch (error) {
    throw startError(error, location);
  }
  redisPackage(location.what);
}

// Not "npm install redis": where this package is the project itself, npm installs none of its optional peers.
const INSTALL = 'run "npm install --ignore-scripts --prefix client redis", and name client/node_modules in NODE_PATH';

/**
 * The package, from beside the service, from a folder of `NODE_PATH`, or from the working directory. Throws a
 * `StoreError` where it is not there. `what` is the store as messages name it.
 */
export function redisPackage(what: string): RedisPackage {
  const require = createRequire(join(process.cwd(), 'package.json'));
  // A program that is bundled into CommonJS does not know where it stands.
  const own = (import.meta.dirname as string | undefined) ?? dirname(process.argv[1] ?? '');
  let found: RedisPackage;
  try {
    found = require(require.resolve('redis', { paths: [own, process.cwd()] })) as RedisPackage;
  } catch (error) {
    // What Node has no right to read is not there for it.
    const isMissing = ['MODULE_NOT_FOUND', 'ERR_ACCESS_DENIED'].includes((error as NodeJS.ErrnoException).code ?? '');
    const rights = process.execArgv.includes('--permission') ? ', with the right to read it' : '';
    const fault = isMissing
      ? `is not installed; ${INSTALL}${rights}`
      : `cannot be loaded (${messageOf(error)}); install it anew`;
    throw new StoreError(what, `the package "redis" ${fault}`, { cause: error });
  }
  if ('createSentinel' in found) return found;
  throw new StoreError(what, 'the package "redis" is too old; install version 5.1 or newer');
}
