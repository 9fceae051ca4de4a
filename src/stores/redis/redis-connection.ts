/**
 * Keeps the connection to Redis: waits for the server at the start, tells of each loss and each return, and gives each
 * command a time in which it must be answered.
 *
 * A command is sent once. One whose reply is lost may have been done, as with any request over a network, so none is
 * sent again, and none waits in a queue while there is no connection.
 */
import { HttpProblem } from '../../http/message/problem.ts';
import { logWarning } from '../../log/log-line.ts';
import { StoreError } from '../store-error.ts';
import { type ConnectedRedis, connectRedis, delayOf } from './connect-redis.ts';
import { isRefused, isUntrusted, messageOf, redisFault, replyCode } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';
import { type RedisPackage, redisPackage } from './redis-package.ts';
import { withinTime } from './within-time.ts';

/** Times in milliseconds. */
export interface RedisTimes {
  /** For each command. */
  readonly timeout: number;
  /** For the first connection; 0 for one try. */
  readonly wait: number;
}

/** A connection that is used, and on which no reply comes for so long, is given up; in milliseconds. */
const MAX_SILENCE = 5000;

export class RedisConnection {
  readonly #location: RedisLocation;
  readonly #times: RedisTimes;
  readonly #given: RedisPackage | undefined;
  #connected: ConnectedRedis | undefined;
  #isLost = false;
  /** When the first command was sent that has no reply, where no later one has any. */
  #silentSince: number | undefined;

  /** `given` replaces the package that is found. */
  constructor(location: RedisLocation, times: RedisTimes, given: RedisPackage | undefined) {
    this.#location = location;
    this.#times = times;
    this.#given = given;
  }

  get isOpen(): boolean {
    return this.#connected !== undefined;
  }

  /** Connects, and calls `check`. Both are tried again for the time to wait. Rejects with a `StoreError`. */
  async open(check: () => Promise<void>): Promise<void> {
    const { what } = this.#location;
    const { wait } = this.#times;
    const end = performance.now() + wait;
    for (let tries = 0; ; tries++) {
      try {
        this.#connected = await this.#connect();
        return await check();
      } catch (error) {
        this.close();
        const delay = delayOf(tries);
        if (performance.now() + delay > end || isFinal(error)) throw startError(error, what, wait);
        if (tries === 0)
          logWarning(`The store ${what} cannot be reached yet: ${messageOf(error)}; trying for ${wait / 1000} s`);
        await new Promise((resolve) => setTimeout(resolve, delay));
      }
    }
  }

  close(): void {
    this.#connected?.close();
    this.#connected = undefined;
    this.#isLost = false;
    this.#silentSince = undefined;
  }

  /** The reply to a command on one of the keys. Rejects with 503 or 507, or with an error of the server. */
  async send(key: string, words: readonly string[]): Promise<unknown> {
    try {
      const reply = await this.ask(key, words);
      if (this.#isLost) this.#found();
      return reply;
    } catch (error) {
      // A reply is an answer, even one that is an error.
      if (this.isOpen && replyCode(error) === undefined) this.#lost(error);
      throw redisFault(error);
    }
  }

  /** The same for a start: rejects with what the server or its client says. */
  async ask(key: string, words: readonly string[]): Promise<unknown> {
    if (this.#connected === undefined)
      throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
    const sent = performance.now();
    try {
      const reply = await withinTime(this.#connected.send(key, words), this.#times.timeout);
      this.#silentSince = undefined;
      return reply;
    } catch (error) {
      if (replyCode(error) !== undefined) this.#silentSince = undefined;
      else if (error instanceof HttpProblem) this.#unanswered(sent);
      throw error;
    }
  }

  #connect(): Promise<ConnectedRedis> {
    const redis = this.#given ?? redisPackage(this.#location.what);
    const lost = (error: unknown): void => this.#lost(error);
    return connectRedis(redis, this.#location, this.#times.timeout, { lost, found: () => this.#found() });
  }

  /** A connection may carry nothing any more, although nothing says so. */
  #unanswered(sent: number): void {
    this.#silentSince ??= sent;
    if (performance.now() - this.#silentSince < MAX_SILENCE || this.#connected === undefined) return;
    this.#silentSince = undefined;
    this.#connected.close();
    void this.#connectAnew((this.#connected = DISCONNECTED));
  }

  async #connectAnew(from: ConnectedRedis): Promise<void> {
    for (let tries = 0; this.#connected === from; tries++) {
      try {
        const connected = await this.#connect();
        if (this.#connected !== from) return connected.close();
        this.#connected = connected;
        return this.#found();
      } catch {
        // The loss has been told.
        await new Promise((resolve) => setTimeout(resolve, delayOf(tries)));
      }
    }
  }

  #lost(error: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    logWarning(`The store ${this.#location.what} cannot be reached: ${messageOf(error)}`);
  }

  #found(): void {
    if (!this.#isLost) return;
    this.#isLost = false;
    logWarning(`The store ${this.#location.what} is reached again`);
  }
}

const DISCONNECTED: ConnectedRedis = {
  send: () => Promise.reject(new Error('the connection is made anew')),
  close: () => {},
};

const isFinal = (error: unknown): boolean => error instanceof StoreError || isRefused(error) || isUntrusted(error);

/** What to tell the user of a start that failed. */
export function startError(error: unknown, what: string, wait = 0): StoreError {
  if (error instanceof StoreError) return error;
  const message = messageOf(error);
  if (isRefused(error))
    return new StoreError(what, `the server refuses (${message}); correct the URL, or what the user may do`, 2, error);
  if (isUntrusted(error)) {
    const remedy = 'name the authority that has signed it in NODE_EXTRA_CA_CERTS';
    return new StoreError(what, `the certificate of the server is not trusted (${message}); ${remedy}`, 2, error);
  }
  const waited = wait === 0 ? '' : ` within ${wait / 1000} s`;
  return new StoreError(what, `the server cannot be reached${waited} (${message}); start it`, 1, error);
}
