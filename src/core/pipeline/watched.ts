/**
 * Puts a watcher around a stage, which learns what the stage does with each request. The stage notices nothing.
 *
 * A stage may call `next` more than once, side by side, and after it has replied. Each call is told by itself.
 */
import { attempt } from '../log/thrown-value.ts';
import { after } from '../message/after.ts';
import type { Context, Handler } from '../message/context.ts';
import { ClientGone } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';
import { nameOfStage, nameStage, type Stage } from './stage.ts';

/** Is called once per request. `reply` is undefined where the later stages failed. */
type Report = (status: number, reply: Reply | undefined) => void;

/** Does as `next` does, and reports it: a client that has closed the connection as 499, any other error as 500. */
export const observed = (context: Context, next: Handler, report: Report): Reply | Promise<Reply> =>
  settled(
    () => next(context),
    (reply) => {
      report(reply.status, reply);
      return reply;
    },
    (error) => {
      report(error instanceof ClientGone ? 499 : 500, undefined);
      throw error;
    },
  );

/** Returns what `replied` returns. An error goes through `failed`, whether thrown at once or rejected later. */
export function settled<Result = Reply>(
  action: () => Result | Promise<Result>,
  replied: (result: Result) => Result,
  failed: (error: unknown) => never,
): Result | Promise<Result> {
  let result: Result | Promise<Result>;
  try {
    result = action();
  } catch (error) {
    return failed(error);
  }
  return after(result, replied, failed);
}

/** How one stage ended for one request. */
export interface StageEnd {
  /** `passed on`: it ended as `next` did, with a changed reply or not. `caught`: `next` failed, and it replied. */
  readonly did: 'answered' | 'passed on' | 'caught' | 'threw';
  /** Did it end with an error? Then it passed on that of `next`, or threw one. */
  readonly failed: boolean;
  /** Did it return a promise? */
  readonly waited: boolean;
  /** Its reply; undefined where it ended with an error, and for a stage that returned nothing. */
  readonly reply: Reply | undefined;
  /** What it threw, or what it caught; undefined otherwise. */
  readonly error: unknown;
  /** Which call of `next`, from 0, made what it passed on or caught; undefined for what it made itself. */
  readonly call: number | undefined;
}

/** Follows one request through one stage. */
export interface Visit {
  /** Does what the stage does, or one of its calls of `next`: to mark what it calls as its own. */
  within?<Result>(action: () => Result): Result;
  /** The stage calls `next` with this context, for the first time or again. */
  passed?(context: Context, call: number): void;
  /** A call of `next` has replied. */
  replied?(reply: Reply, call: number): void;
  /** A call of `next` has failed. */
  failed?(error: unknown, call: number): void;
  /** The stage has replied, or failed. */
  ended(end: StageEnd): void;
}

/** How a call of `next` ended. */
type Ended = { readonly call: number } & ({ readonly reply: Reply } | { readonly error: unknown });

/** The stage, watched: `enter` is called with each request that it gets, before it gets it. */
export function watched(stage: Stage, enter: (context: Context) => Visit): Stage {
  const watching: Stage = (context, next) => followed(enter(context), (onwards) => stage(context, onwards), next);
  nameStage(watching, nameOfStage(stage), stage);
  return watching;
}

/** Does the action of a stage, or of a handler that calls no `next`, and tells the visit what it did. */
export function followed(visit: Visit, action: (onwards: Handler) => Reply | Promise<Reply>, next?: Handler) {
  const within = <Result>(act: () => Result): Result => (visit.within === undefined ? act() : visit.within(act));
  const ended: Ended[] = [];
  let calls = 0;
  let waited = false;
  const onwards: Handler = (passed) => {
    const call = calls++;
    visit.passed?.(passed, call);
    return settled(
      () => within(() => next!(passed)),
      (reply) => {
        ended.push({ call, reply });
        visit.replied?.(reply, call);
        return reply;
      },
      (error) => {
        ended.push({ call, error });
        visit.failed?.(error, call);
        throw error;
      },
    );
  };
  return settled(
    () => {
      const returned = within(() => action(onwards));
      waited = returned instanceof Promise;
      return returned;
    },
    (reply) => {
      // A stage may return nothing, which the pipeline reports.
      const made = madeOf(reply, ended);
      const did = made === undefined ? 'answered' : 'reply' in made ? 'passed on' : 'caught';
      const error = made !== undefined && 'error' in made ? made.error : undefined;
      visit.ended({ did, failed: false, waited, reply, error, call: made?.call });
      return reply;
    },
    (error) => {
      const passed = ended.findLast((one) => 'error' in one && Object.is(one.error, error));
      const did = passed === undefined ? 'threw' : 'passed on';
      visit.ended({ did, failed: true, waited, reply: undefined, error, call: passed?.call });
      throw error;
    },
  );
}

/** What the reply was made of: the reply of `next` that it is or whose body it has, else how `next` ended last. */
function madeOf(reply: Reply | undefined, ended: readonly Ended[]): Ended | undefined {
  const last = ended.at(-1);
  if (ended.length < 2 || (last !== undefined && 'reply' in last && last.reply === reply)) return last;
  // What a stage returns may be unreadable.
  const body = attempt(() => reply?.body, undefined);
  return (
    ended.find((one) => 'reply' in one && one.reply === reply) ??
    ended.find((one) => body !== undefined && 'reply' in one && one.reply.body === body) ??
    last
  );
}
