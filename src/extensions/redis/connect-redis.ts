/** Connects to a server of Redis, or to the cluster that it belongs to. */
import { lookup } from 'node:dns/promises';
import { ForeignNode, replyCode } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';
import type { RedisClient, RedisCluster, RedisPackage } from './redis-package.ts';
import { withinTime } from './within-time.ts';

/** A connection that the client makes anew when it is lost. */
export interface ConnectedRedis {
  /** Sends a command on a key. */
  send(key: string, words: readonly string[]): Promise<unknown>;
  close(): void;
}

/** What a client tells once it is connected. */
export interface RedisEvents {
  lost(error: unknown): void;
  found(): void;
}

const MIN_DELAY = 100;
const MAX_DELAY = 2000;
/** A connection that nobody uses is asked so often, and given up after this time without a reply, in milliseconds. */
const PING_INTERVAL = 4000;
const MAX_SILENCE = 12_000;

/** The time before the next try, in milliseconds. Each client waits for another one, so that not all come at once. */
export const delayOf = (tries: number): number =>
  Math.min(MIN_DELAY * 2 ** Math.min(tries, 10), MAX_DELAY) * (0.75 + Math.random() / 2);

/** Rejects with what the client says; `timeout` is for each step. Nothing is left of a connection that fails. */
export async function connectRedis(
  redis: RedisPackage,
  { url, hosts }: RedisLocation,
  timeout: number,
  events: RedisEvents,
): Promise<ConnectedRedis> {
  let isConnected = false;
  const socket = {
    connectTimeout: Math.max(timeout, 1000),
    socketTimeout: MAX_SILENCE,
    reconnectStrategy: (tries: number) => (isConnected ? delayOf(tries) : false),
  };
  const options = {
    // A command that waits for a connection would be answered long after its client has left.
    disableOfflineQueue: true,
    pingInterval: PING_INTERVAL,
    // With them a server sends its clients, and what they log in with, to another host.
    maintNotifications: 'disabled',
  };

  async function connected<Client extends RedisClient | RedisCluster>(client: Client): Promise<Client> {
    // Its errors are those of the commands as well. Without a listener each would end the process.
    client.on('error', (error) => isConnected && events.lost(error));
    client.on('ready', () => isConnected && events.found());
    try {
      await withinTime(client.connect(), timeout);
      return client;
    } catch (error) {
      destroy(client);
      throw error;
    }
  }

  const client = await connected(redis.createClient({ url, ...options, socket }));
  let isOneOfMany: boolean;
  try {
    isOneOfMany = await isCluster(client, timeout);
  } catch (error) {
    destroy(client);
    throw error;
  }
  if (!isOneOfMany) {
    isConnected = true;
    return { send: (_, words) => client.sendCommand(words), close: () => destroy(client) };
  }
  destroy(client);
  const { username, password, protocol } = new URL(url);
  const account = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  };
  const tls = protocol === 'rediss:' ? { tls: true } : {};
  const defaults = { ...account, ...options, socket: { ...socket, ...tls } };
  const nodeAddressMap = await ownNodes(hosts);
  const nodes = { rootNodes: [{ url }], minimizeConnections: true, defaults, nodeAddressMap };
  const cluster = await connected(redis.createCluster(nodes));
  isConnected = true;
  return { send: (key, words) => cluster.sendCommand(key, false, words), close: () => destroy(cluster) };
}

/**
 * Returns what throws a `ForeignNode` for the address of a node, `host:port`, on a host that is none of these: a
 * cluster names its nodes itself, and user and password are sent there. A host is its name and what that leads to.
 */
async function ownNodes(hosts: readonly string[]): Promise<(address: string) => undefined> {
  const own = new Set(hosts);
  const resolve = async (): Promise<void> => {
    const found = await Promise.allSettled(hosts.map((host) => lookup(host, { all: true })));
    for (const each of found) if (each.status === 'fulfilled') for (const { address } of each.value) own.add(address);
  };
  await resolve();
  return (address) => {
    const host = address.slice(0, address.lastIndexOf(':'));
    if (own.has(host)) return undefined;
    // A name may lead to more hosts by now.
    void resolve();
    throw new ForeignNode(`the cluster names a node on "${host}", which the URL does not`);
  };
}

/** A server that does not tell is asked as one that stands alone. */
async function isCluster(client: RedisClient, timeout: number): Promise<boolean> {
  try {
    return /^cluster_enabled:1/m.test(String(await withinTime(client.sendCommand(['INFO', 'cluster']), timeout)));
  } catch (error) {
    if (replyCode(error) === 'NOPERM') return false;
    throw error;
  }
}

function destroy(client: RedisClient | RedisCluster): void {
  try {
    if (client.destroy !== undefined) client.destroy();
    else client.disconnect?.().catch(() => {});
  } catch {
    // It was not connected.
  }
}
