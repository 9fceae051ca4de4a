/** Makes stages that report what they do with a request. Only a program that calls `traced` pays for it. */
import type { Context, Handler, Reply } from '../http/message/context.ts';
import { settled } from './settled.ts';
import type { Pipeline, Stage } from './stage.ts';
import { nameOfStage, nameStage } from './stage-name.ts';

/** What one stage did with one request. */
export interface Step {
  /** The label of the stage, else the name of its function, else its place: `stage 2`. */
  readonly stage: string;
  /**
   * `answered`: it made the reply. `passed on`: it called `next` and ended with its reply, changed or not, or with its
   * error. `caught`: `next` failed, and it made a reply all the same. `threw`: it failed itself.
   */
  readonly did: 'answered' | 'passed on' | 'caught' | 'threw';
  /** The status of the reply; undefined where the stage ended with an error. */
  readonly status?: number;
  /** Milliseconds from the call of the stage to its end, later stages included. */
  readonly duration: number;
}

/**
 * The stages, wrapped. `record` is called once per stage that a request reaches, the innermost first. `labels` name the
 * stages in order.
 */
export function traced(
  stages: Pipeline,
  record: (step: Step, context: Context) => void,
  labels: readonly string[] = [],
): Pipeline {
  return stages.map((stage, at) => tracedStage(stage, labels[at] ?? (stage.name || `stage ${at + 1}`), record));
}

function tracedStage(stage: Stage, label: string, record: (step: Step, context: Context) => void): Stage {
  const traced: Stage = (context, next) => {
    const started = performance.now();
    let below: 'not asked' | 'asked' | 'replied' | 'failed' = 'not asked';
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
    const done = (did: Step['did'], status?: number): void =>
      record(
        { stage: label, did, ...(status !== undefined && { status }), duration: performance.now() - started },
        context,
      );
    return settled(
      () => stage(context, onwards),
      (reply) => {
        // A stage may return nothing, which `askStage` reports.
        done(
          below === 'replied' ? 'passed on' : below === 'failed' ? 'caught' : 'answered',
          (reply as Reply | undefined)?.status,
        );
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
