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

export type RedisConnection = ReturnType<typeof redisConnection>;

const DISCONNECTED: ConnectedRedis = {
  send: () => Promise.reject(new Error('the connection is made anew')),
  close: () => {},
};

/** The connection to the server of one list. `given` replaces the package that is found. */
export function redisConnection(location: RedisLocation, { timeout, wait }: RedisTimes, given?: RedisPackage) {
  const { what } = location;
  /** Removes what is never there: refused where changes are, by a replica for example. */
  const probe = ['EVAL', `return redis.call('HDEL', KEYS[1], '')`, '1', location.keys.list];
  let state = new StoreState(what);
  let connected: ConnectedRedis | undefined;
  /** Changes are refused, or the connection was given up: only a probe tells that they are taken again. */
  let isRecovering = false;
  /** When the first command was sent that has no reply, where no later one has any. */
  let silentSince: number | undefined;

  const newConnection = (): Promise<ConnectedRedis> =>
    connectRedis(given ?? redisPackage(what), location, timeout, { lost: broken, found });

  /** The connection itself is lost. Where sentinels tell where the server is, they are asked again. */
  function broken(error: unknown): void {
    lost(error);
    if (location.sentinels) leave();
  }

  function lost(error: unknown): void {
    state.lost(messageOf(error));
    const code = replyCode(error);
    if (code === 'READONLY') leave();
    else if (code !== undefined) void recover();
  }

  function found(): void {
    if (!isRecovering) state.found();
  }

  /** Gives the connection up. The next one asks again where the name of the server leads. */
  function leave(): void {
    silentSince = undefined;
    if (connected === undefined) return;
    connected.close();
    connected = DISCONNECTED;
    void recover();
  }

  /** Asks until changes are taken, over a new connection where the former one was given up. */
  async function recover(): Promise<void> {
    if (isRecovering) return;
    isRecovering = true;
    for (let tries = 0, isReached = false; !isReached; tries++) {
      // A process that has nothing else to do may end.
      await setTimeout(delayOf(tries), undefined, { ref: false });
      isReached = connected === undefined || (await takesChanges(connected));
    }
    isRecovering = false;
    found();
  }

  async function takesChanges(former: ConnectedRedis): Promise<boolean> {
    let current = former;
    try {
      if (former === DISCONNECTED) current = await newConnection();
      await withinTime(current.send(probe), timeout);
    } catch (error) {
      // The loss has been told. Any other error of the server is told to who asks for items.
      if (isUnavailable(error)) {
        if (current !== former) current.close();
        else if (replyCode(error) === 'READONLY') leave();
        return false;
      }
    }
    // The store may have been closed or opened anew meanwhile.
    if (connected === former) connected = current;
    else if (current !== former) current.close();
    return true;
  }

  /** The reply to a command. Rejects with what the server or its client says, as a start needs it. */
  async function ask(words: readonly string[]): Promise<unknown> {
    if (connected === undefined)
      throw new Error('Cannot use the store: it is not open; start the application, or call open() first');
    const sent = performance.now();
    try {
      const reply = await withinTime(connected.send(words), timeout);
      silentSince = undefined;
      return reply;
    } catch (error) {
      if (replyCode(error) !== undefined) silentSince = undefined;
      else if (error instanceof HttpProblem) {
        // The connection may carry nothing any more, although nothing says so.
        silentSince ??= sent;
        if (performance.now() - silentSince >= MAX_SILENCE) leave();
      }
      throw error;
    }
  }

  /** The same for a request: rejects with 503 or 507, or with an error of the server. */
  async function send(words: readonly string[]): Promise<unknown> {
    try {
      const reply = await ask(words);
      found();
      return reply;
    } catch (error) {
      if (replyCode(error) === 'OOM') state.full(messageOf(error));
      else if (connected !== undefined && isUnavailable(error)) lost(error);
      throw redisFault(error);
    }
  }

  function close(): void {
    connected?.close();
    connected = undefined;
    state = new StoreState(what);
    silentSince = undefined;
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
    if (connected !== undefined) return;
    const end = performance.now() + wait;
    for (let tries = 0; ; tries++) {
      try {
        connected = await newConnection();
        await check();
        if (isChanged) await ask(probe);
        if (isChanged) await warnOfEviction();
        return;
      } catch (error) {
        close();
        const fault = startError(error, what, wait);
        const delay = delayOf(tries);
        if (performance.now() + delay > end || fault.exitCode === 2) throw fault;
        if (tries === 0)
          logWarning(`The store ${what} cannot be reached yet: ${messageOf(error)}; trying for ${wait / 1000} s`);
        await setTimeout(delay);
      }
    }
  }

  /** `check` rejects with 503 where changes cannot be made now. */
  return { connect, close, check: () => send(probe).then(() => {}), send, ask, state: () => state };
}
