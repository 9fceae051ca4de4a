/** Records what each station does for one request: the context that comes in, the reply that goes out, and the time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Handler } from '../../core/http/context.ts';
import type { Reply } from '../../core/http/reply.ts';
import { attempt } from '../../core/log/thrown-value.ts';
import { settled } from '../../core/pipeline/stage.ts';
import type { Station, StationFacts } from './recording.ts';
import { contextChanges, contextView, errorText, replyChanges, replyView } from './views.ts';

/** What a recorded request is in: a station, or at first no station. */
interface Inside {
  /** The inner stations, to which the request adds those that it enters. */
  readonly stations: Station[];
  /** The errors that stations of the request have thrown. */
  readonly thrown: Set<unknown>;
  /** Returns the time since the request has reached the recorder. */
  now(): number;
}

/**
 * Holds what the request is in; undefined for a request that is not recorded. A stack would not do: a stage may call
 * `next` after its reply, or twice concurrently.
 */
export const INSIDE = new AsyncLocalStorage<Inside | undefined>();

/**
 * Calls `action`, which runs a station, and records the station if its request is recorded. The station calls `next`
 * through the function that `action` gets.
 */
export function visited<Returned>(
  facts: StationFacts,
  context: Context,
  action: (through: (next: Handler) => Handler) => Returned | Promise<Returned>,
): Returned | Promise<Returned> {
  const outer = INSIDE.getStore();
  if (outer === undefined) return action((next) => next);
  const { now, thrown } = outer;
  const given = contextView(context);
  const station: Station = { ...facts, given, entered: now(), waited: false, calls: [], stations: [] };
  outer.stations.push(station);
  const replies: Reply[] = [];
  let failure: string | undefined;

  const through =
    (next: Handler): Handler =>
    (passed) => {
      const changes = contextChanges(given, contextView(passed));
      const at = now();
      station.calls.push({ at, changes });
      return settled(
        () => next(passed),
        (reply) => {
          replies.push(reply);
          failure = undefined;
          return reply;
        },
        (error) => {
          failure = errorText(error);
          // If no station threw this error, the core threw it, because the reply of the called station is invalid. If
          // no station was called, the passed context is invalid.
          const called = station.stations.find(({ entered }) => entered >= at);
          if (called !== undefined && !thrown.has(error)) called.refused = failure;
          if (called !== undefined) thrown.add(error);
          throw error;
        },
      );
    };

  return settled(
    () => {
      const returned = INSIDE.run({ ...outer, stations: station.stations }, () => action(through));
      station.waited = returned instanceof Promise;
      return returned;
    },
    (returned) => {
      station.left = now();
      // A plugin may return any value, whose members may throw.
      Object.assign(
        station,
        attempt<Partial<Station>>(() => outcomeOf(station, returned as Reply, replies, failure), { did: 'answered' }),
      );
      return returned;
    },
    (error) => {
      station.left = now();
      station.did = thrown.has(error) ? 'passed the error on' : 'threw';
      station.error = errorText(error);
      thrown.add(error);
      throw error;
    },
  );
}

/**
 * Replaces each operation by its input, its handler and its reply. While a request is recorded, an operation is one
 * station around its handler. Whether the input waited is unknown then, because the handler may have waited too.
 */
export function divided(station: Station): Station[] {
  const stations = station.stations.flatMap(divided);
  if (station.kind !== 'operation') return [{ ...station, stations }];
  const { plugin, given, entered, did, error = '', reply, changes = [] } = station;
  const [first, last] = [stations[0], stations.at(-1)];
  if (first === undefined || last === undefined) {
    const [, refusal] = /^HttpProblem ([^]*)/.exec(error) ?? [];
    return [{ ...station, ...INPUT, ...(refusal !== undefined && { did: 'refused', error: refusal }) }];
  }
  const accepted = { ...INPUT, left: first.entered, did: 'accepted' } as const;
  const input: Station = { ...accepted, plugin, given, entered, calls: [], stations: [] };
  if (did === undefined || did === 'passed the error on') return [input, ...stations];
  const result = last.reply?.status ?? reply?.status;
  const differences = changes.filter((change) => !last.changes?.includes(change));
  if (reply?.status !== result) differences.unshift(`was ${result}`);
  const written = { entered: last.left ?? entered, waited: undefined, changes: differences, stations: [] };
  return [input, ...stations, { ...station, kind: 'reply', label: 'reply', ...written }];
}

const INPUT = { kind: 'input', label: 'input' } as const;

/** Returns the result of a station from its reply, the replies of `next`, and the error of the last call of `next`. */
function outcomeOf({ routes }: Station, reply: Reply, replies: readonly Reply[], failure?: string): Partial<Station> {
  if (reply === undefined || reply === null) return { did: 'returned nothing' };
  // The routing does not change the reply of a route.
  if (routes !== undefined) return { did: 'passed on', reply: replyView(reply) };
  const last = failure === undefined ? replies.at(-1) : undefined;
  const before = replies.findLast(({ body }) => body === reply.body) ?? last;
  const views = { reply: replyView(reply), changes: replyChanges(before, reply) };
  if (before !== undefined) return { did: 'passed on', ...views };
  return failure === undefined
    ? { did: 'answered', ...views }
    : { did: 'caught it, answered', error: failure, ...views };
}
