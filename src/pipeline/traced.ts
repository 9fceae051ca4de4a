/**
 * What each stage did with a request: the same stages, each wrapped in one that reports it. Nothing is wrapped unless someone asks, so
 * tracing costs nothing otherwise.
 */
import type { Context, Handler, Reply } from '../http/message/context.ts';
import type { Pipeline, Stage } from './pipeline.ts';
import { nameOfStage, nameStage } from './stage-name.ts';

/** What one stage did with one request. Steps are reported innermost first, as the stages end. */
export interface Step {
  /** The label that was given for the stage, else the name of its function, else its place: `stage 2`. */
  readonly stage: string;
  /**
   * `answered`: it made the reply itself. `passed on`: it called `next` and ended as that did, with its reply, changed or not, or with
   * its error. `caught`: what it passed on failed, and it made a reply of that. `threw`: it failed itself.
   */
  readonly did: 'answered' | 'passed on' | 'caught' | 'threw';
  /** That of the reply; undefined when the stage ended with an error. */
  readonly status?: number;
  /** Milliseconds from its call to its end, later stages included. */
  readonly duration: number;
}

/** Wraps every stage. `record` is called once per stage that a request reached; `labels` name the stages, in their order. */
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
    let below: 'not asked' | 'asked' | 'replied' | 'failed' = 'not asked',
      failure: unknown;
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
        // A stage may also give no reply at all, which is for others to complain of.
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

/** What the action gives, through one of the two, at once or when its promise is settled. */
function settled(
  action: () => Reply | Promise<Reply>,
  replied: (reply: Reply) => Reply,
  failed: (error: unknown) => never,
): Reply | Promise<Reply> {
  let reply: Reply | Promise<Reply>;
  try {
    reply = action();
  } catch (error) {
    return failed(error);
  }
  return reply instanceof Promise ? reply.then(replied, failed) : replied(reply);
}
