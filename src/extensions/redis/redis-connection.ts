/**
 * Keeps the connection to Redis: waits for the server at the start, tells of each loss and each return, and gives each
 * command a time. A server that takes no changes counts as lost. The connection to one that has become a replica is
 * given up: its name may lead to another server by now.
 *
 * A command is sent once: one whose reply is lost may have been done. None waits while there is no connection.
 */
import { setTimeout } from 'node:timers/promises';
import { logWarning } from '../../core/log/log-line.ts';
import { StoreState } from '../collection/store-error.ts';
import { type ConnectedRedis, connectRedis, type RedisPackage, redisPackage, withinTime } from './redis-client.ts';
import { isUnavailable, logText, redisFault, replyCode, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** Times in milliseconds. */
export interface RedisTimes {
  /** For each command. */
  readonly timeout: number;
  /** For the first connection; 0 for one try. */
  readonly wait: number;
}

/** A connection on which no reply has come in time is given up after so much longer, in milliseconds. */
const MAX_SILENCE = 5000;

/** The time before the next try, in milliseconds. Each client waits for another one, so that not all come at once. */
const delayOf = (tries: number): number => Math.min(100 * 2 ** tries, 2000) * (0.75 + Math.random() / 2);

export type RedisConnection = ReturnType<typeof redisConnection>;

/** The connection to the server of one list. `given` replaces the package that is found. */
export function redisConnection(location: RedisLocation, { timeout, wait }: RedisTimes, given?: RedisPackage) {
  const { what } = location;
  /** Removes what is never there: refused where changes are, by a replica for example. */
  const probe = ['EVAL', `return redis.call('HDEL', KEYS[1], '')`, '1', location.keys.list];
  let state = new StoreState(what);
  let isOpen = false;
  /** Undefined while there is no connection. */
  let connected: ConnectedRedis | undefined;
  /** Only a probe tells that changes are taken again. */
  let isRecovering = false;
  /** Has a line told that the server refuses the new connection, for example after a change of its password? */
  let isRefusalTold = false;

  const newConnection = (): Promise<ConnectedRedis> =>
    connectRedis(given ?? redisPackage(what), location, timeout, (error) => {
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

  /** Asks until the server takes changes. Connects anew if there is no connection. */
  async function recover(): Promise<void> {
    if (isRecovering) return;
    isRecovering = true;
    isRefusalTold = false;
    let tries = 0;
    do {
      // A process that has nothing else to do may end.
      await setTimeout(delayOf(tries++), undefined, { ref: false });
    } while (isOpen && !(await takesChanges()));
    isRecovering = false;
    if (isOpen) state.found();
  }

  async function takesChanges(): Promise<boolean> {
    const former = connected;
    let current = former;
    try {
      current ??= await newConnection();
      await withinTime(current.send(probe), MAX_SILENCE);
    } catch (error) {
      if (!isRefusalTold && former === undefined && !startError(error, location).isTemporary) {
        isRefusalTold = true;
        logWarning(`The store ${what} cannot be reached again: ${logText(error, location)}`);
      }
      // The loss has been told. Any other error of the server is told to who asks for items.
      if (isUnavailable(error)) {
        if (former === undefined) current?.close();
        else if (isGone(error)) leave();
        return false;
      }
    }
    // The store may have been closed or opened anew meanwhile.
    if (isOpen && connected === former) connected = current;
    else current?.close();
    return connected !== undefined;
  }

  /** The reply to a command. Rejects with what the server or its client says, as a start needs it. */
  async function ask(words: string[]): Promise<unknown> {
    if (connected !== undefined) return withinTime(connected.send(words), timeout);
    throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
  }

  /** The same for a request: rejects with 503 or 507, or with an error of the server. */
  async function send(words: string[]): Promise<unknown> {
    const used = connected;
    try {
      const reply = await ask(words);
      if (!isRecovering) state.found();
      return reply;
    } catch (error) {
      if (replyCode(error) === 'OOM') state.full(logText(error, location));
      else if (used === connected && isUnavailable(error)) {
        lost(error);
        // Otherwise a reply that is late may still come.
        if (replyCode(error) === 'READONLY') leave();
      }
      throw redisFault(error, location);
    }
  }

  function close(): void {
    isOpen = false;
    leave();
    state = new StoreState(what);
  }

  /** Items have no time to live, so only these policies drop them. A server that does not tell is not asked again. */
  async function warnOfEviction(): Promise<void> {
    const memory = String(await ask(['INFO', 'memory']).catch(() => ''));
    const [, policy] = /^maxmemory_policy:(allkeys-\w+)/m.exec(memory) ?? [];
    if (policy === undefined) return;
    const remedy = 'set "maxmemory-policy noeviction" there, so that a full server refuses changes (507)';
    logWarning(`The store ${what} throws items away once its memory is full (maxmemory-policy ${policy}); ${remedy}`);
  }

  /**
   * Connects to a server, which takes changes unless it is only read, and calls `check`, for the time to wait. Rejects
   * with a `StoreError`. An open connection stays as it is.
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

  /** `check` rejects with 503 where changes cannot be made now. */
  return { connect, close, check: async () => void (await send(probe)), send, ask, state: () => state };
}

/** Does the connection lead nowhere, or to a server that can take no change? */
const isGone = (error: unknown): boolean => [undefined, 'READONLY'].includes(replyCode(error));
