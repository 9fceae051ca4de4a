/**
 * Manages the connection to Redis. Waits for the server at the start, logs when the server is lost or reached again,
 * and limits the time of each command. A server that accepts no changes is treated as lost. If the server has become a
 * replica, the connection is closed, because the host name may resolve to the new primary now.
 *
 * A command is sent only once, because it may have run even if its answer was lost. Without a connection, a command
 * fails at once.
 */
import { setTimeout } from 'node:timers/promises';
import { logWarning } from '../../core/log/log-line.ts';
import { StoreState } from '../../plugins/collection/store-error.ts';
import { type ConnectedRedis, connectRedis, type RedisPackage, redisPackage, withinTime } from './redis-client.ts';
import { errorCode, isUnavailable, logText, redisFault, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** The time limits of a connection, in milliseconds. */
export interface RedisTimes {
  /** The time for each command. */
  readonly timeout: number;
  /** The time for the first connection; 0 for a single attempt. */
  readonly wait: number;
}

/** The time after which a connection that does not answer a probe is closed, in milliseconds. */
const MAX_SILENCE = 5000;

/** Returns the delay before the next attempt, in milliseconds. It is random, so that clients do not connect at once. */
const delayOf = (tries: number): number => Math.min(100 * 2 ** tries, 2000) * (0.75 + Math.random() / 2);

export type RedisConnection = ReturnType<typeof redisConnection>;

/** Makes a connection to the server of a list. If `redis`, the loaded package, is undefined, loads the package. */
export function redisConnection(location: RedisLocation, { timeout, wait }: RedisTimes, redis?: RedisPackage) {
  const { what } = location;
  /** A command that changes nothing. A server that rejects changes, such as a replica, rejects this command too. */
  const probe = ['EVAL', `return redis.call('HDEL', KEYS[1], '')`, '1', location.keys.list];
  let state = new StoreState(what);
  let isOpen = false;
  /** Undefined while there is no connection. */
  let connected: ConnectedRedis | undefined;
  /** True while probes test the server. Then only a successful probe shows that the server accepts changes again. */
  let isRecovering = false;
  /** True after a warning that the server rejects the new connection, for example because its password has changed. */
  let hasLoggedRejection = false;

  const newConnection = (): Promise<ConnectedRedis> =>
    connectRedis(redis ?? redisPackage(what), location, timeout, (error) => {
      lost(error);
      if (isOpen) leave();
    });

  function lost(error: unknown): void {
    if (!isOpen || connected === undefined) return;
    state.lost(logText(error, location));
    void recover();
  }

  function leave(): void {
    connected?.close();
    connected = undefined;
  }

  /** Probes until the server accepts changes. Reconnects if there is no connection. */
  async function recover(): Promise<void> {
    if (isRecovering) return;
    isRecovering = true;
    hasLoggedRejection = false;
    let tries = 0;
    do {
      // With `ref: false`, the timer does not keep the process alive.
      await setTimeout(delayOf(tries++), undefined, { ref: false });
    } while (isOpen && !(await acceptsChanges()));
    isRecovering = false;
    if (isOpen) state.found();
  }

  async function acceptsChanges(): Promise<boolean> {
    const former = connected;
    let current = former;
    try {
      current ??= await newConnection();
      await withinTime(current.send(probe), MAX_SILENCE);
    } catch (error) {
      if (!hasLoggedRejection && former === undefined && !startError(error, location).isTemporary) {
        hasLoggedRejection = true;
        logWarning(`The store ${what} cannot be reached again: ${logText(error, location)}`);
      }
      // The loss is already logged. After any other error the connection is used, and the next request gets the error.
      if (isUnavailable(error)) {
        if (former === undefined) current?.close();
        else if (isGone(error)) leave();
        return false;
      }
    }
    // The store may have been closed or reopened meanwhile.
    if (isOpen && connected === former) connected = current;
    else current?.close();
    return connected !== undefined;
  }

  /** Sends a command and resolves to the answer. Rejects with the original error of the server or the client. */
  async function ask(words: string[]): Promise<unknown> {
    if (connected !== undefined) return withinTime(connected.send(words), timeout);
    throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
  }

  /** Sends a command for an HTTP request. Rejects with a 503 or 507 error, or with an explained error of the server. */
  async function send(words: string[]): Promise<unknown> {
    const used = connected;
    try {
      const answer = await ask(words);
      if (!isRecovering) state.found();
      return answer;
    } catch (error) {
      if (errorCode(error) === 'OOM') state.full(logText(error, location));
      else if (used === connected && isUnavailable(error)) {
        lost(error);
        // After other errors the connection stays open, because a late answer may still arrive.
        if (errorCode(error) === 'READONLY') leave();
      }
      throw redisFault(error, location);
    }
  }

  function close(): void {
    isOpen = false;
    leave();
    state = new StoreState(what);
  }

  /** Warns in the log if the server may evict keys that do not expire. Ignores a server that does not allow `INFO`. */
  async function warnOfEviction(): Promise<void> {
    const memory = String(await ask(['INFO', 'memory']).catch(() => ''));
    const [, policy] = /^maxmemory_policy:(allkeys-\w+)/m.exec(memory) ?? [];
    if (policy === undefined) return;
    const remedy = 'set "maxmemory-policy noeviction" there, so that a full server rejects changes (507)';
    logWarning(`The store ${what} evicts items when its memory is full (maxmemory-policy ${policy}); ${remedy}`);
  }

  /**
   * Connects to the server and calls `check`. Retries after a temporary error until `wait` is over. If `isChanged`, the
   * server must accept changes. Does nothing if the connection is open. Rejects with a `StoreError`.
   */
  async function connect(check: () => Promise<void>, isChanged: boolean): Promise<void> {
    if (isOpen) return;
    const end = performance.now() + wait;
    for (let tries = 0; ; tries++) {
      try {
        connected = await newConnection();
        await check();
        if (isChanged) await ask(probe);
        if (isChanged) await warnOfEviction();
        isOpen = true;
        return;
      } catch (error) {
        close();
        const fault = startError(error, location, wait);
        const delay = delayOf(tries);
        if (performance.now() + delay > end || !fault.isTemporary) throw fault;
        if (tries === 0)
          logWarning(
            `The store ${what} cannot be reached yet: ${logText(error, location)}; trying for ${wait / 1000} s`,
          );
        await setTimeout(delay);
      }
    }
  }

  /** `check` rejects with 503 if the server does not accept changes now. */
  return { connect, close, check: async () => void (await send(probe)), send, ask, state: () => state };
}

/** Returns true if the connection is broken, or the server has become a replica. */
const isGone = (error: unknown): boolean => [undefined, 'READONLY'].includes(errorCode(error));
