/**
 * Keeps the connection to Redis: waits for the server at the start, tells of each loss and each return, and gives each
 * command a time in which it must be answered. A server that takes no changes counts as lost. One that has become a
 * replica is left: its name may lead to another server by now.
 *
 * A command is sent once. One whose reply is lost may have been done, as with any request over a network, so none is
 * sent again, and none waits in a queue while there is no connection.
 */

import { logWarning } from '../../extending.ts';
import { HttpProblem } from '../../index.ts';
import { StoreError, StoreState } from '../collection/collection.ts';
import { type ConnectedRedis, connectRedis, delayOf } from './connect-redis.ts';
import { ForeignNode, isRefused, isUnavailable, isUntrusted, messageOf, redisFault, replyCode } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';
import { type RedisPackage, redisPackage } from './redis-package.ts';
import { probe } from './scripts.ts';
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
  readonly #state: StoreState;
  /** Changes nothing, and is refused where changes are. */
  readonly #probe: readonly string[];
  #connected: ConnectedRedis | undefined;
  /** Changes are refused, or the connection was given up: only a probe tells that they are taken again. */
  #isRecovering = false;
  /** When the first command was sent that has no reply, where no later one has any. */
  #silentSince: number | undefined;

  /** `given` replaces the package that is found. */
  constructor(location: RedisLocation, times: RedisTimes, given: RedisPackage | undefined) {
    const { items, order, list } = location.keys;
    this.#location = location;
    this.#times = times;
    this.#given = given;
    this.#state = new StoreState(location.what);
    this.#probe = ['EVAL', probe.text, '3', items, order, list];
  }

  get isOpen(): boolean {
    return this.#connected !== undefined;
  }

  /**
   * Connects to a server, which takes changes unless it is only read, and calls `check`, for the time to wait. Rejects
   * with a `StoreError`.
   */
  async open(check: () => Promise<void>, isChanged = true): Promise<void> {
    const { what } = this.#location;
    const { wait } = this.#times;
    const end = performance.now() + wait;
    for (let tries = 0; ; tries++) {
      try {
        this.#connected = await this.#connect();
        await check();
        if (isChanged) await this.ask(this.#location.keys.items, this.#probe);
        return;
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
    this.#state.reset();
    this.#silentSince = undefined;
  }

  /** Rejects with 503 where changes cannot be made now. */
  async check(): Promise<void> {
    await this.send(this.#location.keys.items, this.#probe);
  }

  /** The reply to a command on one of the keys. Rejects with 503 or 507, or with an error of the server. */
  async send(key: string, words: readonly string[]): Promise<unknown> {
    try {
      const reply = await this.ask(key, words);
      this.#found();
      return reply;
    } catch (error) {
      if (replyCode(error) === 'OOM') this.#state.full(messageOf(error));
      else if (this.isOpen && isUnavailable(error)) this.#lost(error);
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
    if (performance.now() - this.#silentSince >= MAX_SILENCE) this.#leave();
  }

  /** Gives the connection up. The next one asks again where the name of the server leads. */
  #leave(): void {
    this.#silentSince = undefined;
    if (!this.isOpen) return;
    this.#connected!.close();
    this.#connected = DISCONNECTED;
    void this.#recover();
  }

  /** Asks until changes are taken, over a new connection where the former one was given up. */
  async #recover(): Promise<void> {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    for (let tries = 0, isReached = false; !isReached; tries++) {
      // A process that has nothing else to do may end.
      await new Promise((resolve) => setTimeout(resolve, delayOf(tries)).unref());
      isReached = !this.isOpen || (await this.#takesChanges());
    }
    this.#isRecovering = false;
    this.#found();
  }

  async #takesChanges(): Promise<boolean> {
    const former = this.#connected!;
    let connected = former;
    try {
      if (former === DISCONNECTED) connected = await this.#connect();
      await withinTime(connected.send(this.#location.keys.items, this.#probe), this.#times.timeout);
    } catch (error) {
      // The loss has been told. Any other error of the server is told to who asks for items.
      if (isUnavailable(error)) {
        if (connected !== former) connected.close();
        else if (replyCode(error) === 'READONLY') this.#leave();
        return false;
      }
    }
    if (this.#connected === former) this.#connected = connected;
    else if (connected !== former) connected.close();
    return true;
  }

  #lost(error: unknown): void {
    this.#state.lost(messageOf(error));
    const code = replyCode(error);
    if (code === 'READONLY') this.#leave();
    else if (code !== undefined) void this.#recover();
  }

  #found(): void {
    if (!this.#isRecovering) this.#state.found();
  }
}

const DISCONNECTED: ConnectedRedis = {
  send: () => Promise.reject(new Error('the connection is made anew')),
  close: () => {},
};

const isFinal = (error: unknown): boolean =>
  error instanceof StoreError || error instanceof ForeignNode || isRefused(error) || isUntrusted(error);

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
  if (error instanceof ForeignNode)
    return new StoreError(what, `${message}; list the hosts of its nodes in the URL, ?nodes=HOST,HOST`, 2, error);
  if (replyCode(error) === 'OOM')
    return new StoreError(what, `the memory of the server is full (${message}); make room`, 1, error);
  if (replyCode(error) === 'READONLY') {
    const remedy = 'name the primary, or make this one the primary';
    return new StoreError(what, `the server is a replica and takes no changes (${message}); ${remedy}`, 1, error);
  }
  const waited = wait === 0 ? '' : ` within ${wait / 1000} s`;
  return new StoreError(what, `the server cannot be reached${waited} (${message}); start it`, 1, error);
}
