/**
 * Keeps the connection to Redis: waits for the server at the start, tells of each loss and each return, and gives each
 * command a time. A server that takes no changes counts as lost. One that has become a replica is left: its name may
 * lead to another server by now.
 *
 * A command is sent once: one whose reply is lost may have been done. None waits while there is no connection.
 */
import { setTimeout } from 'node:timers/promises';
import { logWarning } from '../../extending.ts';
import { HttpProblem } from '../../index.ts';
import { StoreState } from '../collection/collection.ts';
import {
  type ConnectedRedis,
  connectRedis,
  delayOf,
  type RedisPackage,
  redisPackage,
  withinTime,
} from './redis-client.ts';
import { isUnavailable, messageOf, redisFault, replyCode, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** Times in milliseconds. */
export interface RedisTimes {
  /** For each command. */
  readonly timeout: number;
  /** For the first connection; 0 for one try. */
  readonly wait: number;
}

/** A connection that is used, and on which no reply comes for so long, is given up; in milliseconds. */
const MAX_SILENCE = 5000;

/** The connection to the server of one list. */
export class RedisConnection {
  readonly location: RedisLocation;
  readonly #times: RedisTimes;
  readonly #given: RedisPackage | undefined;
  /** Removes what is never there: refused where changes are, by a replica for example. */
  readonly #probe: readonly string[];
  #state: StoreState;
  #connected: ConnectedRedis | undefined;
  /** Changes are refused, or the connection was given up: only a probe tells that they are taken again. */
  #isRecovering = false;
  /** When the first command was sent that has no reply, where no later one has any. */
  #silentSince: number | undefined;

  /** `given` replaces the package that is found. */
  constructor(location: RedisLocation, times: RedisTimes, given: RedisPackage | undefined) {
    this.location = location;
    this.#times = times;
    this.#given = given;
    this.#probe = ['EVAL', `return redis.call('HDEL', KEYS[1], '')`, '1', location.keys.list];
    this.#state = new StoreState(location.what);
  }

  /**
   * Connects to a server, which takes changes unless it is only read, and calls `check`, for the time to wait. Rejects
   * with a `StoreError`. An open connection stays as it is.
   */
  async connect(check: () => Promise<void>, isChanged: boolean): Promise<void> {
    if (this.#connected !== undefined) return;
    const { what } = this.location;
    const { wait } = this.#times;
    const end = performance.now() + wait;
    for (let tries = 0; ; tries++) {
      try {
        this.#connected = await this.#newConnection();
        await check();
        if (isChanged) await this.ask(this.#probe);
        return;
      } catch (error) {
        this.close();
        const fault = startError(error, what, wait);
        const delay = delayOf(tries);
        if (performance.now() + delay > end || fault.exitCode === 2) throw fault;
        if (tries === 0)
          logWarning(`The store ${what} cannot be reached yet: ${messageOf(error)}; trying for ${wait / 1000} s`);
        await setTimeout(delay);
      }
    }
  }

  close(): void {
    this.#connected?.close();
    this.#connected = undefined;
    this.#state = new StoreState(this.location.what);
    this.#silentSince = undefined;
  }

  /** Rejects with 503 where changes cannot be made now. */
  async check(): Promise<void> {
    await this.send(this.#probe);
  }

  /** The reply to a command on keys of the list. Rejects with 503 or 507, or with an error of the server. */
  async send(words: readonly string[]): Promise<unknown> {
    try {
      const reply = await this.ask(words);
      this.#found();
      return reply;
    } catch (error) {
      if (replyCode(error) === 'OOM') this.#state.full(messageOf(error));
      else if (this.#connected !== undefined && isUnavailable(error)) this.#lost(error);
      throw redisFault(error);
    }
  }

  /** The same for a start: rejects with what the server or its client says. */
  async ask(words: readonly string[]): Promise<unknown> {
    if (this.#connected === undefined)
      throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
    const sent = performance.now();
    try {
      const reply = await withinTime(this.#connected.send(words), this.#times.timeout);
      this.#silentSince = undefined;
      return reply;
    } catch (error) {
      if (replyCode(error) !== undefined) this.#silentSince = undefined;
      else if (error instanceof HttpProblem) {
        // The connection may carry nothing any more, although nothing says so.
        this.#silentSince ??= sent;
        if (performance.now() - this.#silentSince >= MAX_SILENCE) this.#leave();
      }
      throw error;
    }
  }

  #newConnection(): Promise<ConnectedRedis> {
    const redis = this.#given ?? redisPackage(this.location.what);
    const lost = (error: unknown): void => this.#lost(error);
    return connectRedis(redis, this.location, this.#times.timeout, { lost, found: () => this.#found() });
  }

  /** Gives the connection up. The next one asks again where the name of the server leads. */
  #leave(): void {
    this.#silentSince = undefined;
    if (this.#connected === undefined) return;
    this.#connected.close();
    this.#connected = DISCONNECTED;
    void this.#recover();
  }

  /** Asks until changes are taken, over a new connection where the former one was given up. */
  async #recover(): Promise<void> {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    for (let tries = 0, isReached = false; !isReached; tries++) {
      // A process that has nothing else to do may end.
      await setTimeout(delayOf(tries), undefined, { ref: false });
      isReached = this.#connected === undefined || (await this.#takesChanges(this.#connected));
    }
    this.#isRecovering = false;
    this.#found();
  }

  async #takesChanges(former: ConnectedRedis): Promise<boolean> {
    let connected = former;
    try {
      if (former === DISCONNECTED) connected = await this.#newConnection();
      await withinTime(connected.send(this.#probe), this.#times.timeout);
    } catch (error) {
      // The loss has been told. Any other error of the server is told to who asks for items.
      if (isUnavailable(error)) {
        if (connected !== former) connected.close();
        else if (replyCode(error) === 'READONLY') this.#leave();
        return false;
      }
    }
    // The store may have been closed or opened anew meanwhile.
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
