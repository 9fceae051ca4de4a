/** Records what each station does for one request: the context that comes in, the reply that goes out, and the time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { attempt } from '../../core/log/thrown-value.ts';
import type { Context, Handler } from '../../core/message/context.ts';
import type { Reply } from '../../core/message/reply.ts';
import { settled } from '../../core/pipeline/stage.ts';
import type { Station, StationFacts } from './recording.ts';
import { contextChanges, contextView, errorText, replyChanges, replyView } from './views.ts';

/** The clock of a recorded request, and the errors that its stations have thrown. */
interface Course {
  now(): number;
  readonly thrown: Set<unknown>;
}

/**
 * Holds the running station, or at first the request. A stack would not do: a stage may call `next` after its reply, or
 * twice concurrently.
 */
const RUNNING = new AsyncLocalStorage<{ readonly course: Course; readonly stations: Station[] } | undefined>();

/** Calls `action`. Adds the stations that it enters to the list. */
export function recorded<Result>(stations: Station[], now: Course['now'], action: () => Result): Result {
  return RUNNING.run({ course: { now, thrown: new Set() }, stations }, action);
}

/** Calls `action` without recording the stations that it enters. */
export const unrecorded = <Result>(action: () => Result): Result => RUNNING.run(undefined, action);

/**
 * Calls `action`, which runs a station, and records the station if its request is recorded. The station calls `next`
 * through the function that `action` gets.
 */
export function visited(
  facts: StationFacts,
  context: Context,
  action: (through: (next: Handler) => Handler) => Reply | Promise<Reply>,
): Reply | Promise<Reply> {
  const outer = RUNNING.getStore();
  if (outer === undefined) return action((next) => next);
  const { course } = outer;
  const given = contextView(context);
  const station: Station = { ...facts, given, entered: course.now(), calls: [], stations: [] };
  outer.stations.push(station);
  const replies: Reply[] = [];
  let failure: string | undefined;

  const through =
    (next: Handler): Handler =>
    (passed) => {
      const changes = contextChanges(given, contextView(passed));
      const at = course.now();
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
          // If no station threw this error, the core threw it, because the reply of the called station is invalid.
          const called = station.stations.find(({ entered }) => entered >= at);
          if (called !== undefined && !course.thrown.has(error)) called.refused = failure;
          course.thrown.add(error);
          throw error;
        },
      );
    };

  return settled(
    () => {
      const returned = RUNNING.run({ course, stations: station.stations }, () => action(through));
      station.waited = returned instanceof Promise;
      return returned;
    },
    (reply) => {
      station.left = course.now();
      // A plugin may return any value, whose members may throw.
      Object.assign(
        station,
        attempt<Partial<Station>>(() => outcomeOf(station, reply, replies, failure), { did: 'answered' }),
      );
      return reply;
    },
    (error) => {
      station.left = course.now();
      station.did = course.thrown.has(error) ? 'passed the error on' : 'threw';
      station.error = errorText(error);
      course.thrown.add(error);
      throw error;
    },
  );
}

/** Returns the result of a station from its reply, the replies of `next`, and the error of the last call of `next`. */
function outcomeOf({ routes }: Station, reply: Reply, replies: readonly Reply[], failure?: string): Partial<Station> {
  if (reply === undefined || reply === null) return { did: 'returned nothing' };
  const last = failure === undefined ? replies.at(-1) : undefined;
  const before = replies.findLast(({ body }) => body === reply.body) ?? last;
  // The routing passes the reply of a route on unchanged.
  const changes = routes === undefined ? replyChanges(before, reply) : [];
  const views = { reply: replyView(reply), changes };
  if (before !== undefined) return { did: 'passed on', ...views };
  return failure === undefined
    ? { did: 'answered', ...views }
    : { did: 'caught it, answered', error: failure, ...views };
}
