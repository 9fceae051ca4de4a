/** Connects to the server that a URL names, with the package `redis`, which the user installs. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { StoreError } from '../../plugins/collection/collection.ts';
import { unreachable } from '../../plugins/collection/lasting-store.ts';
import { messageOf } from './redis-fault.ts';
import { type RedisLocation, redisLocation } from './redis-location.ts';

/** The methods of a client that the store calls. All clients of the package `redis` have them. */
export interface RedisClient {
  eval(script: string, options: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown>;
  hGet(key: string, field: string): Promise<unknown>;
}

/** A client that the store has made. */
export interface OwnClient extends RedisClient {
  connect(): Promise<unknown>;
  destroy(): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** The interval between pings on an idle connection, in milliseconds. */
const PING_INTERVAL = 4000;

/**
 * Connects to the server. `timeout` is the time for one command, in milliseconds. Calls `lost` when the connection is
 * lost later. If the connection fails, closes it and rejects with the error of the client.
 */
export async function connectRedis(
  location: RedisLocation,
  timeout: number,
  lost: (error: unknown, client: OwnClient) => void,
): Promise<OwnClient> {
  const connectTimeout = Math.max(timeout, 1000);
  const client = redisPackage(location.what).createClient({
    url: location.url,
    // Without `reconnectStrategy: false`, the client would reconnect to the same server for ever, even after the
    // server has become a replica. It would also keep a broken connection as long as requests are written to it (D85).
    socket: {
      ...certificateOf(location),
      connectTimeout,
      socketTimeout: timeout + 2 * PING_INTERVAL,
      reconnectStrategy: false,
    },
    // With an offline queue, a command would wait for a connection even after the HTTP client has left.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    // With these notifications, a command may wait while the client moves to another server.
    maintNotifications: 'disabled',
  });
  client.on('error', (error) => lost(error, client));
  try {
    await withinTime(client.connect(), connectTimeout);
    return client;
  } catch (error) {
    closeClient(client);
    throw error;
  }
}

/** Closes a client, which may be closed already; then some versions of the package throw. */
export const closeClient = (client: OwnClient): void => void (async () => client.destroy())().catch(() => {});

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

/** Reads the certificate for each connection, so that a renewed one is used. */
const certificateOf = ({ certificate }: RedisLocation) =>
  certificate && { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) };

/** Throws a `StoreError` if the URL is invalid, or the package or a certificate cannot be loaded. Does not connect. */
export function assertRedis(text: string): void {
  const location = redisLocation(text);
  try {
    createSecureContext(certificateOf(location));
  } catch (error) {
    throw new StoreError(location.what, `its certificate or key: ${messageOf(error)}; give two PEM files`);
  }
  redisPackage(location.what);
}

// Not "npm install redis", because npm does not install the optional peers of a package in a clone of that package.
const INSTALL = 'run "npm install --ignore-scripts --prefix client redis", and add client/node_modules to NODE_PATH';

/**
 * Loads the package `redis` from the `node_modules` of the service or of the working directory, or from `NODE_PATH`.
 * Throws a `StoreError` if the package is not found. `what` is the name of the store in messages.
 */
function redisPackage(what: string): { createClient(options: object): OwnClient } {
  const require = createRequire(join(process.cwd(), 'package.json'));
  // A program bundled as CommonJS has no `import.meta.dirname`.
  const folder = (import.meta.dirname as string | undefined) ?? dirname(process.argv[1] ?? '');
  try {
    return require(require.resolve('redis', { paths: [folder, process.cwd()] }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED')
      throw new StoreError(what, 'Node has no permission to read the package "redis"; allow it with --allow-fs-read');
    throw new StoreError(what, `the package "redis" cannot be loaded (${messageOf(error)}); ${INSTALL}`);
  }
}
