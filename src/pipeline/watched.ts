/** Puts a watcher around a stage, which learns what the stage does with each request. The stage notices nothing. */
import type { Context, Handler, Reply } from '../http/message/context.ts';
import { settled } from './observed.ts';
import { nameOfStage, nameStage, type Stage } from './stage.ts';

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
  /** The reply of the later stages; undefined where they were not asked, or failed. */
  readonly inner: Reply | undefined;
  /** What it threw, or what it caught; undefined otherwise. */
  readonly error: unknown;
}

/** Follows one request through one stage. */
export interface Visit {
  /** The stage calls `next` with this context. */
  passed?(context: Context): void;
  /** The stage has replied, or failed. */
  ended(end: StageEnd): void;
}

/** What a stage did that made a reply, by what the later stages have done. */
const MADE = { 'not asked': 'answered', asked: 'answered', replied: 'passed on', failed: 'caught' } as const;

/** The stage, watched: `enter` is called with each request that it gets, before it gets it. */
export function watched(stage: Stage, enter: (context: Context) => Visit): Stage {
  const watching: Stage = (context, next) => {
    const visit = enter(context);
    let below: keyof typeof MADE = 'not asked';
    let inner: Reply | undefined;
    let failure: unknown;
    let waited = false;
    const replied = (reply: Reply): Reply => {
      [below, inner] = ['replied', reply];
      return reply;
    };
    const failed = (error: unknown): never => {
      [below, failure] = ['failed', error];
      throw error;
    };
    const onwards: Handler = (passed) => {
      below = 'asked';
      visit.passed?.(passed);
      return settled(() => next(passed), replied, failed);
    };
    return settled(
      () => {
        const returned = stage(context, onwards);
        waited = returned instanceof Promise;
        return returned;
      },
      (reply) => {
        // A stage may return nothing, which `askStage` reports.
        visit.ended({ did: MADE[below], failed: false, waited, reply, inner, error: failure });
        return reply;
      },
      (error) => {
        const isPassed = below === 'failed' && Object.is(error, failure);
        const did = isPassed ? 'passed on' : 'threw';
        visit.ended({ did, failed: true, waited, reply: undefined, inner: undefined, error });
        throw error;
      },
    );
  };
  nameStage(watching, nameOfStage(stage));
  return watching;
}
