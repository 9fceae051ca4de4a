/** The same stages, each reporting what it did. Nothing is wrapped unless someone asks, so tracing costs nothing otherwise. */
import type { Context, Reply } from '../http/context.ts';
import type { Middleware, Pipeline } from './pipeline.ts';

/** What one stage did with one request. Steps are reported innermost first, as the stages end. */
export interface Step {
  /** The name of the stage's function. */
  readonly stage: string;
  readonly did: 'answered' | 'passed on' | 'threw';
  readonly status?: number;
  /** Milliseconds from its call to its end, later stages included. */
  readonly duration: number;
}

/** Wraps every stage. `record` is called once per stage that a request reached. */
export function traced(stages: Pipeline, record: (step: Step, context: Context) => void): Pipeline {
  return stages.map((stage): Middleware => (context, next) => {
    const started = performance.now();
    let passed = false;
    const done = (did: Step['did'], status?: number): void => {
      const duration = performance.now() - started;
      record({ stage: stage.name || 'unnamed stage', did, ...(status !== undefined && { status }), duration }, context);
    };
    const answered = (reply: Reply): Reply => {
      done(passed ? 'passed on' : 'answered', reply.status);
      return reply;
    };
    const threw = (error: unknown): never => {
      done('threw');
      throw error;
    };
    try {
      const reply = stage(context, (onwards) => {
        passed = true;
        return next(onwards);
      });
      return reply instanceof Promise ? reply.then(answered, threw) : answered(reply);
    } catch (error) {
      return threw(error);
    }
  });
}
