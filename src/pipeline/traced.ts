/** Makes stages that report what they do with a request. Only a program that calls `traced` pays for it. */
import type { Context, Handler, Reply } from '../http/message/context.ts';
import { settled } from './observed.ts';
import { nameOfStage, nameStage, type Pipeline, type Stage } from './stage.ts';

/** What one stage did with one request. */
export interface Step {
  /** The label of the stage, else the name of its function, else its place: `stage 2`. */
  readonly stage: string;
  /** `passed on`: it ended as `next` did, with a changed reply or not. `caught`: `next` failed, and it replied. */
  readonly did: 'answered' | 'passed on' | 'caught' | 'threw';
  /** The status of the reply; undefined where the stage ended with an error. */
  readonly status?: number;
  /** Milliseconds from the call of the stage to its end, later stages included. */
  readonly duration: number;
}

/**
 * The stages, wrapped. `record` is called once per stage that a request reaches, the innermost first, by its label.
 *
 *     const stages = traced([problems()], ({ stage, did }, { path }) => console.log(path, stage, did));
 */
export function traced(
  stages: Pipeline,
  record: (step: Step, context: Context) => void,
  labels: readonly string[] = [],
): Pipeline {
  return stages.map((stage, at) => tracedStage(stage, labels[at] ?? (stage.name || `stage ${at + 1}`), record));
}

/** What a stage did that made a reply, by what the later stages have done. */
const MADE = { 'not asked': 'answered', asked: 'answered', replied: 'passed on', failed: 'caught' } as const;

function tracedStage(stage: Stage, label: string, record: (step: Step, context: Context) => void): Stage {
  const traced: Stage = (context, next) => {
    const started = performance.now();
    let below: keyof typeof MADE = 'not asked';
    let failure: unknown;
    const replied = (reply: Reply): Reply => {
      below = 'replied';
      return reply;
    };
    const failed = (error: unknown): never => {
      [below, failure] = ['failed', error];
      throw error;
    };
    const onwards: Handler = (passed) => {
      below = 'asked';
      return settled(() => next(passed), replied, failed);
    };
    const done = (did: Step['did'], status?: number): void => {
      const duration = performance.now() - started;
      record({ stage: label, did, ...(status !== undefined && { status }), duration }, context);
    };
    return settled(
      () => stage(context, onwards),
      (reply) => {
        // A stage may return nothing, which `askStage` reports.
        done(MADE[below], (reply as Reply | undefined)?.status);
        return reply;
      },
      (error) => {
        done(below === 'failed' && Object.is(error, failure) ? 'passed on' : 'threw');
        throw error;
      },
    );
  };
  nameStage(traced, nameOfStage(stage));
  return traced;
}
