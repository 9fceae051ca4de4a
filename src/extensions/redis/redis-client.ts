/** Connects to Redis with the package `redis` that the user has installed. */
import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError, unreachable } from '../collection/collection.ts';
import { ForeignNode, messageOf, replyCode, startError, UnknownMaster } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** A client of one server: what is used of it, the same in the versions 4, 5 and 6 of the package. */
interface RedisClient {
  on(event: 'error' | 'ready', listener: (error: unknown) => void): unknown;
  connect(): Promise<unknown>;
  sendCommand(words: readonly string[]): Promise<unknown>;
  /** From version 5 on. */
  destroy?(): void;
  /** Before version 5. */
  disconnect?(): Promise<unknown>;
}

/** A client of all servers of a cluster, which sends each command to the one that has the key. */
interface RedisCluster extends Omit<RedisClient, 'sendCommand'> {
  sendCommand(key: string, isReadOnly: boolean, words: readonly string[]): Promise<unknown>;
}

/** The members of the package. */
export interface RedisPackage {
  createClient(options: object): RedisClient;
  createCluster(options: object): RedisCluster;
}

/** A connection that the client makes anew when it is lost. */
export interface ConnectedRedis {
  send(words: readonly string[]): Promise<unknown>;
  close(): void;
}

const MIN_DELAY = 100;
const MAX_DELAY = 2000;
/** A connection that nobody uses is asked so often, and given up after this time without a reply, in milliseconds. */
const PING_INTERVAL = 4000;
const MAX_SILENCE = 12_000;

/** The time before the next try, in milliseconds. Each client waits for another one, so that not all come at once. */
export const delayOf = (tries: number): number =>
  Math.min(MIN_DELAY * 2 ** Math.min(tries, 10), MAX_DELAY) * (0.75 + Math.random() / 2);

/**
 * Connects to the server of a list, or to its cluster. Rejects with what the client says; `timeout` is for each step.
 * Nothing is left of a connection that fails. `events` are told once it is connected.
 */
export async function connectRedis(
  redis: RedisPackage,
  location: RedisLocation,
  timeout: number,
  events: { lost(error: unknown): void; found(): void },
): Promise<ConnectedRedis> {
  const { hosts, keys, sentinels } = location;
  /** The client that is used, once it is connected. What happens to another one matters to nobody. */
  let current: RedisClient | RedisCluster | undefined;
  const options = {
    // A command that waits for a connection would be answered long after its client has left.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    // With them a server sends its clients, and what they log in with, to another host.
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: Math.max(timeout, 1000),
      socketTimeout: MAX_SILENCE,
      // Sentinels are asked anew where the server is.
      reconnectStrategy: (tries: number) => (current && !sentinels ? delayOf(tries) : false),
      // Read each time, since such certificates are short-lived.
      ...certificateOf(location),
    },
  };
  const clients: (RedisClient | RedisCluster)[] = [];
  const close = (): void => {
    current = undefined;
    for (const client of clients.splice(0)) destroy(client);
  };
  async function connected<Client extends RedisClient | RedisCluster>(client: Client): Promise<Client> {
    clients.push(client);
    // Its errors are those of the commands as well. Without a listener each would end the process.
    client.on('error', (error) => client === current && events.lost(error));
    client.on('ready', () => client === current && events.found());
    await withinTime(client.connect(), timeout);
    return client;
  }
  /** The client changes the options of its socket. */
  const clientOf = (url: string): Promise<RedisClient> =>
    connected(redis.createClient({ url, ...options, socket: { ...options.socket } }));
  /** The URL with the host that the first sentinel names which names one. They are asked without user and password. */
  async function urlOfMaster(urls: readonly string[], master: string): Promise<string> {
    let fault: unknown = new UnknownMaster(`no sentinel knows a server "${master}"`);
    for (const one of urls)
      try {
        const sentinel = await clientOf(one);
        const words = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master];
        const found = await withinTime(sentinel.sendCommand(words), timeout);
        if (!Array.isArray(found)) continue;
        const [host, port] = found.map(String) as [string, string];
        const url = new URL(location.url);
        url.host = `${host.includes(':') ? `[${host}]` : host}:${port}`;
        return url.href;
      } catch (error) {
        fault = error;
      } finally {
        close();
      }
    throw fault;
  }
  try {
    const url = sentinels ? await urlOfMaster(sentinels.urls, sentinels.master) : location.url;
    const client = await clientOf(url);
    let used: RedisClient | RedisCluster = client;
    let send = (words: readonly string[]) => client.sendCommand(words);
    if (!sentinels && (await withinTime(isCluster(client), timeout))) {
      destroy(client);
      const { username, password, protocol } = new URL(url);
      const defaults = {
        ...options,
        ...(username && { username: decodeURIComponent(username) }),
        ...(password && { password: decodeURIComponent(password) }),
        socket: { ...options.socket, ...(protocol === 'rediss:' && { tls: true }) },
      };
      const nodes = {
        rootNodes: [{ url }],
        minimizeConnections: true,
        defaults,
        nodeAddressMap: await ownNodes(hosts),
      };
      const cluster = await connected(redis.createCluster(nodes));
      used = cluster;
      send = (words) => cluster.sendCommand(keys.items, false, words);
    }
    current = used;
    return { send, close };
  } catch (error) {
    close();
    throw error;
  }
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
    throw startError(error, location.what);
  }
  redisPackage(location.what);
}

/** A server that does not tell is asked as one that stands alone. */
async function isCluster(client: RedisClient): Promise<boolean> {
  try {
    return /^cluster_enabled:1/m.test(String(await client.sendCommand(['INFO', 'cluster'])));
  } catch (error) {
    if (replyCode(error) === 'NOPERM') return false;
    throw error;
  }
}

/**
 * What throws a `ForeignNode` for the address of a node, `host:port`, on no host of these, or of what their names lead
 * to: a cluster names its nodes itself, and user and password are sent there.
 */
async function ownNodes(hosts: readonly string[]): Promise<(address: string) => undefined> {
  const own = new Set(hosts);
  const resolve = async (host: string): Promise<void> => {
    const found = await lookup(host, { all: true }).catch(() => []);
    for (const { address } of found) own.add(address);
  };
  await Promise.all(hosts.map(resolve));
  return (address) => {
    const host = address.slice(0, address.lastIndexOf(':'));
    if (own.has(host)) return undefined;
    // A name may lead to more hosts by now.
    for (const one of hosts) void resolve(one);
    throw new ForeignNode(`the cluster names a node on "${host}", which the URL does not`);
  };
}

function destroy(client: RedisClient | RedisCluster): void {
  try {
    if (client.destroy !== undefined) client.destroy();
    else client.disconnect?.().catch(() => {});
  } catch {
    // It was not connected.
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
  let path: string;
  try {
    path = require.resolve('redis', { paths: [own, process.cwd()] });
  } catch (error) {
    // What Node has no right to read is not there for it.
    const rights = process.execArgv.includes('--permission') ? ', with the right to read it' : '';
    // Not "npm install redis": where this package is the project itself, npm installs none of its optional peers.
    const remedy = `run "npm install --prefix client redis", and name client/node_modules in NODE_PATH${rights}`;
    throw new StoreError(what, `the package "redis" is not installed; ${remedy}`, 2, error);
  }
  try {
    return require(path) as RedisPackage;
  } catch (error) {
    throw new StoreError(what, `the package "redis" cannot be loaded (${messageOf(error)}); install it anew`, 2, error);
  }
}
