/** Makes stages that report what they do with a request. Only a program that calls `traced` pays for it. */
import type { Context } from '../message/context.ts';
import type { Pipeline } from './stage.ts';
import { type StageEnd, watched } from './watched.ts';

/** What one stage did with one request. */
export interface Step {
  /** The label of the stage, else the name of its function, else its place: `stage 2`. */
  readonly stage: string;
  /** `passed on`: it ended as `next` did, with a changed reply or not. `caught`: `next` failed, and it replied. */
  readonly did: StageEnd['did'];
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
  return stages.map((one, at) => {
    const stage = labels[at] ?? (one.name || `stage ${at + 1}`);
    return watched(one, (context) => {
      const started = performance.now();
      return {
        ended({ did, reply }) {
          const duration = performance.now() - started;
          record({ stage, did, ...(reply !== undefined && { status: reply.status }), duration }, context);
        },
      };
    });
  });
}
