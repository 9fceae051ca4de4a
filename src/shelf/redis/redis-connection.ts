/**
 * Manages the connection to Redis. Waits for the server at the start, logs when the server is lost or reached again,
 * and limits the time of each command. A server that accepts no changes is treated as lost. A connection without an
 * answer, or to a server that has become a replica, is closed: the host name may resolve to another server now.
 *
 * A command is sent only once, because it may have run even if its answer was lost. Without a connection, a command
 * fails at once.
 */
import { setTimeout } from 'node:timers/promises';
import { logWarning } from '../../extending.ts';
import { StoreState } from '../../plugins/collection/lasting-store.ts';
import { closeClient, connectRedis, type OwnClient, type RedisClient, withinTime } from './redis-client.ts';
import { errorCode, explanation, isUnavailable, redisFault, startError } from './redis-fault.ts';
import type { RedisLocation } from './redis-location.ts';

/** The time for each command, and for the first connection or 0 for a single attempt, in milliseconds. */
export type RedisTimes = { readonly timeout: number; readonly wait: number };

/** A call of the client. */
type Command = (client: RedisClient) => Promise<unknown>;

/** Returns a command that runs a Lua script, which the server runs atomically. */
export const script =
  (text: string, keys: string[], words: string[] = []): Command =>
  (client) =>
    client.eval(text, { keys, arguments: words });

/**
 * The first lines of each script that reads or changes a list. They fail with `WRONGTYPE` if a key belongs to another
 * program, and with `INCOMPLETE` if the server has lost the items or their order. A script that fails later would leave
 * a half-made change. The loss of the third key is harmless: the next change writes it again.
 */
export const ASSERT_LIST = `
local items, last = redis.call('HLEN', KEYS[1]), redis.call('ZREVRANGE', KEYS[2], 0, 0)[1]
redis.call('HLEN', KEYS[3])
if items == 0 and last then return redis.error_reply('INCOMPLETE the items of the list are lost') end
if items > 0 and not last then return redis.error_reply('INCOMPLETE the order of the items is lost') end
`;

/** A script that changes nothing. A server that rejects changes, such as a replica, rejects this script too. */
export const PROBE = `${ASSERT_LIST}return redis.call('HDEL', KEYS[3], '')`;

/** Returns the delay before the next attempt, in milliseconds. It is random, so that clients do not connect at once. */
const delayOf = (tries: number): number => Math.min(100 * 2 ** tries, 2000) * (0.75 + Math.random() / 2);

/** Returns true if another connection may reach a server that works. Other servers may still answer reads. */
const isBroken = (error: unknown): boolean => [undefined, 'READONLY'].includes(errorCode(error));

/** Connects to the server of a list, or uses `given`, a connected client that is never closed here. */
export function redisConnection(location: RedisLocation, { timeout, wait }: RedisTimes, given?: RedisClient) {
  const { what, keys } = location;
  const probe = script(PROBE, keys);
  let state = new StoreState(what);
  let isOpen = false;
  /** Undefined while there is no connection. */
  let client: RedisClient | undefined;
  let isRecovering = false;

  const connected = async (): Promise<RedisClient> =>
    given ??
    connectRedis(location, timeout, (error, lost) => {
      if (lost !== client) return;
      leave(lost);
      void recover(error);
    });

  function leave(left: RedisClient | undefined): void {
    if (left === client) client = undefined;
    if (left !== undefined && left !== given) closeClient(left as OwnClient);
  }

  /** Resolves to the answer. Rejects with the original error of the server or the client. */
  async function ask(command: Command, used = client): Promise<unknown> {
    if (used !== undefined) return withinTime(command(used), timeout);
    throw new Error('The store is not open; start the application, or call open() first');
  }

  /** Logs the loss, and probes until the server accepts changes. Reconnects if there is no connection. */
  async function recover(loss: unknown): Promise<void> {
    if (!isOpen || isRecovering) return;
    isRecovering = true;
    state.lost(explanation(loss, location));
    let hasLoggedRejection = false;
    for (let tries = 0; isOpen && state.isLost; tries++) {
      // With `ref: false`, the timer does not keep the process alive.
      await setTimeout(delayOf(tries), undefined, { ref: false });
      try {
        const used = await probed();
        // The store may have been closed or reopened meanwhile.
        if (isOpen && (client ?? used) === used) client = used;
        else leave(used);
        state.found();
      } catch (error) {
        if (hasLoggedRejection || client !== undefined || startError(error, location).isTemporary) continue;
        hasLoggedRejection = true;
        logWarning(`The store ${what} cannot be reached again: ${explanation(error, location)}`);
      }
    }
    isRecovering = false;
  }

  /** Resolves to a client whose server accepts changes. Closes a connection that can no longer be used. */
  async function probed(): Promise<RedisClient> {
    const used = client ?? (await connected());
    try {
      await withinTime(probe(used), timeout);
    } catch (error) {
      // After other errors the connection is used, and the next request gets the error.
      if (!isUnavailable(error)) return used;
      if (used !== client || isBroken(error)) leave(used);
      throw error;
    }
    return used;
  }

  /** Sends a command for an HTTP request. Rejects with a 503 or 507 error, or with an explained error of the server. */
  async function send(command: Command): Promise<unknown> {
    const used = client;
    try {
      return await ask(command, used);
    } catch (error) {
      if (errorCode(error) === 'OOM') state.full(explanation(error, location));
      else if (used === client && isUnavailable(error)) {
        void recover(error);
        if (isBroken(error)) leave(used);
      }
      throw redisFault(error, location);
    }
  }

  function close(): void {
    isOpen = false;
    leave(client);
    state = new StoreState(what);
  }

  /**
   * Connects to the server and calls `check`. Retries after a temporary error until `wait` is over. If `isChanged`, the
   * server must accept changes. Does nothing if the connection is open. Rejects with a `StoreError`.
   */
  async function open(check: () => Promise<void>, isChanged: boolean): Promise<void> {
    if (isOpen) return;
    const end = performance.now() + wait;
    for (let tries = 0; !isOpen; tries++) {
      try {
        client = await connected();
        await check();
        if (isChanged) await ask(probe);
        isOpen = true;
      } catch (error) {
        leave(client);
        const fault = startError(error, location, wait);
        const delay = delayOf(tries);
        if (performance.now() + delay > end || !fault.isTemporary) throw fault;
        const cause = `${explanation(error, location)}; trying for ${wait / 1000} s`;
        if (tries === 0) logWarning(`The store ${what} cannot be reached yet: ${cause}`);
        await setTimeout(delay);
      }
    }
  }

  return { open, close, check: async () => void (await send(probe)), send, ask, state: () => state };
}
