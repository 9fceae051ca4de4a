/**
 * Asks sentinels which server has the list. Neither a sentinel nor a server that is perhaps a sentinel gets user and
 * password.
 */
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { StoreError } from '../collection/collection.ts';
import { replyCode, replyText, startError } from './redis-fault.ts';
import type { RedisLocation, RedisServer } from './redis-location.ts';

/** Sends a command without user and password. Rejects with what the server or its client says. */
type Ask = (server: RedisServer, words: string[]) => Promise<unknown>;

/** Milliseconds between two questions to the sentinels. Changes may be lost until a failover is noticed. */
const ASK_INTERVAL = 1000;

/** Limits how much of a reply a message shows. */
const INSPECTION = { depth: 1, breakLength: Infinity, maxArrayLength: 3, maxStringLength: 80 };

const addressOf = ({ host, port }: RedisServer): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Returns the server that the sentinels name: the first sentinel with a valid answer decides. Rejects with a
 * `StoreError` if the answers are not valid, and with the error of `ask` if a sentinel cannot be reached. `known` is a
 * server that has been checked not to be a sentinel.
 */
export async function primaryOf(location: RedisLocation, ask: Ask, known?: RedisServer): Promise<RedisServer> {
  const { what, master, servers } = location;
  const isKnown = ({ host, port }: RedisServer) => host === known?.host && port === known.port;

  /** Returns the reply, or the error that the server replied. Rejects if no reply comes, or if a later try may help. */
  const answer = (server: RedisServer): Promise<unknown> =>
    ask(server, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master]).catch((error) => {
      if (replyCode(error) === undefined || startError(error, location).isTemporary) throw error;
      return error;
    });

  async function namedBy(sentinel: RedisServer): Promise<RedisServer> {
    const reply = await answer(sentinel);
    const named = serverIn(reply);
    if (named === undefined) {
      const text = reply instanceof Error ? replyText(reply, location) : inspect(reply, INSPECTION);
      const cause = `${addressOf(sentinel)} does not tell the address of "${master}" (${text})`;
      const remedy = 'name sentinels that know it and ask for no password, another ?master=NAME, or a server, redis://';
      throw new StoreError(what, `${cause}; ${remedy}`);
    }
    // Only a sentinel knows the command. It may name itself, by any of its addresses.
    if (isKnown(named) || (await answer(named)) instanceof Error) return named;
    const cause = `the sentinel ${addressOf(sentinel)} names ${addressOf(named)}, which is a sentinel`;
    throw new StoreError(what, `${cause}; correct "sentinel monitor ${master}" of the sentinels`);
  }

  const errors: unknown[] = [];
  for (const sentinel of servers) {
    try {
      return await namedBy(sentinel);
    } catch (error) {
      errors.push(error);
    }
  }
  // A sentinel that has not answered may name a server later.
  throw errors.find((error) => !(error instanceof StoreError)) ?? errors[0];
}

/** The address in a reply; undefined where it has none, or one of zeros, which leads to this machine itself. */
function serverIn(reply: unknown): RedisServer | undefined {
  if (!Array.isArray(reply) || reply.length !== 2) return undefined;
  const [host, port] = reply as unknown[];
  if (typeof host !== 'string' || typeof port !== 'string' || !/^[1-9]\d{0,4}$/.test(port)) return undefined;
  const isHost = (isIP(host) !== 0 || /^[\w.-]{1,253}$/.test(host)) && !/^[0.:]+$/.test(host);
  return isHost && Number(port) < 65_536 ? { host, port: Number(port) } : undefined;
}

/** Calls `lost` while sentinels name another server than this one; returns what ends that. */
export function watchSentinels(
  location: RedisLocation,
  ask: Ask,
  server: RedisServer,
  lost: (error: unknown) => void,
): () => void {
  let isWatching = true;
  async function watch(): Promise<void> {
    while (isWatching) {
      // A process that has nothing else to do may end.
      await setTimeout(ASK_INTERVAL, undefined, { ref: false });
      const named = await primaryOf(location, ask, server).catch(() => server);
      if (isWatching && addressOf(named) !== addressOf(server))
        lost(new Error(`the sentinels name ${addressOf(named)} now`));
    }
  }
  void watch();
  return () => {
    isWatching = false;
  };
}
