/**
 * Keeps the connection to a server of Redis or to a cluster: waits for it at the start, connects again when it is lost,
 * and gives each command a time in which it must be answered.
 *
 * A command is sent once. One whose reply is lost may have been done, as with any request over a network, so none is
 * sent again, and none waits in a queue while there is no connection.
 */
import { logWarning } from '../../log/log-line.ts';
import { StoreError } from '../store-error.ts';
import { unreachable } from '../unreachable.ts';
import { isRefused, messageOf, redisFault, replyCode } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';
import { type RedisClient, type RedisCluster, type RedisPackage, redisPackage } from './redis-package.ts';

/** Times in milliseconds. */
export interface RedisTimes {
  /** For each command. */
  readonly timeout: number;
  /** For the first connection; 0 for one try. */
  readonly wait: number;
}

const MIN_DELAY = 100;
const MAX_DELAY = 2000;
/** Each client waits for another time, so that not all come back at once. */
const delayOf = (tries: number): number => Math.min(MIN_DELAY * 2 ** tries, MAX_DELAY) * (0.75 + Math.random() / 2);

type Send = (key: string, words: readonly string[]) => Promise<unknown>;

export class RedisConnection {
  readonly #location: RedisLocation;
  readonly #times: RedisTimes;
  readonly #given: RedisPackage | undefined;
  #client: RedisClient | RedisCluster | undefined;
  #send: Send | undefined;
  #isLost = false;

  /** `given` replaces the package that is found. */
  constructor(location: RedisLocation, times: RedisTimes, given: RedisPackage | undefined) {
    this.#location = location;
    this.#times = times;
    this.#given = given;
  }

  get isOpen(): boolean {
    return this.#send !== undefined;
  }

  /** Rejects with a `StoreError` where the server cannot be reached in time, or refuses. */
  async open(): Promise<void> {
    const { what } = this.#location;
    const { wait } = this.#times;
    const redis = this.#given ?? redisPackage(what);
    const end = performance.now() + wait;
    for (let tries = 0; ; tries++) {
      try {
        return await this.#connect(redis);
      } catch (error) {
        this.close();
        const message = messageOf(error);
        if (isRefused(error)) throw new StoreError(what, `the server refuses (${message}); correct the URL`, 2, error);
        const delay = delayOf(tries);
        if (performance.now() + delay > end) {
          const waited = wait === 0 ? '' : ` within ${wait / 1000} s`;
          throw new StoreError(what, `the server cannot be reached${waited} (${message}); start it`, 1, error);
        }
        if (tries === 0) logWarning(`The store ${what} cannot be reached yet: ${message}; trying for ${wait / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  close(): void {
    const client = this.#client;
    this.#send = undefined;
    this.#client = undefined;
    if (client === undefined) return;
    try {
      if (client.destroy !== undefined) client.destroy();
      else client.disconnect?.().catch(() => {});
    } catch {
      // It was not connected.
    }
  }

  /** The reply to a command on one of the keys. Rejects with 503 or 507, or with an error of the server. */
  async send(key: string, words: readonly string[]): Promise<unknown> {
    if (this.#send === undefined)
      throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
    try {
      const reply = await this.#inTime(this.#send(key, words));
      if (this.#isLost) this.#found();
      return reply;
    } catch (error) {
      // A reply is an answer, even one that is an error.
      if (replyCode(error) === undefined) this.#lost(error);
      throw redisFault(error);
    }
  }

  async #connect(redis: RedisPackage): Promise<void> {
    const { url } = this.#location;
    const client = redis.createClient({ url, ...this.#options() });
    await this.#opened(client);
    if (!(await isCluster(client))) {
      this.#send = (_, words) => client.sendCommand(words);
      return;
    }
    this.close();
    const { username, password } = new URL(url);
    const account = {
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
    };
    const { socket, ...options } = this.#options();
    const tls = url.startsWith('rediss:') ? { tls: true } : {};
    const defaults = { ...account, ...options, socket: { ...socket, ...tls } };
    const cluster = redis.createCluster({ rootNodes: [{ url }], minimizeConnections: true, defaults });
    await this.#opened(cluster);
    this.#send = (key, words) => cluster.sendCommand(key, false, words);
  }

  async #opened(client: RedisClient | RedisCluster): Promise<void> {
    this.#client = client;
    // Its errors are those of the commands as well. Without a listener each would end the process.
    client.on('error', (error) => this.#client === client && this.isOpen && this.#lost(error));
    client.on('ready', () => this.#client === client && this.#isLost && this.#found());
    await this.#inTime(client.connect());
  }

  #options() {
    const { timeout } = this.#times;
    return {
      disableOfflineQueue: true,
      // A connection that is dead is noticed, although nobody uses it.
      pingInterval: 4000,
      socket: {
        connectTimeout: Math.max(timeout, 1000),
        socketTimeout: 12_000,
        // The first connection is ours to wait for.
        reconnectStrategy: (tries: number) => (this.isOpen ? delayOf(tries) : false),
      },
    };
  }

  async #inTime<Reply>(reply: Promise<Reply>): Promise<Reply> {
    const { timeout } = this.#times;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => reject(unreachable(`The store did not answer within ${timeout} ms`, 2));
      timer = setTimeout(giveUp, timeout);
    });
    try {
      return await Promise.race([reply, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #lost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    logWarning(`The store ${this.#location.what} cannot be reached: ${messageOf(error)}`);
  }

  #found(): void {
    this.#isLost = false;
    logWarning(`The store ${this.#location.what} is reached again`);
  }
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
