/**
 * Step 1: a thrown string.
 *
 * Without it: JavaScript can throw any value. `tiny.ts` reads the `message` of the thrown value. A string has no
 * `message`, so the error handler fails. Nobody catches that error, and Node ends the process: one request closes the
 * connections of all clients. If the value is an error, the client gets its message, which may contain file names.
 *
 * See it: start the step before this one, then send requests from another terminal. The reply is empty, and the process
 * has ended with exit code 1.
 *
 *     node --import tsx test/lessons/steps/serve.ts 0
 *     curl localhost:8080/throws
 *
 * Added: a stage around all others that catches any value. The client may see the message of one class of errors. For
 * every other value the client gets a 500, and the log gets the cause.
 *
 * The real core: `src/core/pipeline/problems.ts` is the stage, and `src/core/http/problem.ts` has the class and the
 * reply. `src/core/log/thrown-value.ts` can print even values that throw when they are printed.
 */
import type { Server } from 'node:http';
import { service as previous, type Stage, text } from '../tiny.ts';

/** An error that is meant for the client. */
export class HttpProblem extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const problems: Stage = async (context, next) => {
  try {
    return await next(context);
  } catch (error) {
    const isMeant = error instanceof HttpProblem;
    if (!isMeant) console.error(error);
    const reply = isMeant ? text(error.message, error.status) : text('The service failed; see its log', 500);
    // The rest of the request may still arrive, and nobody reads it.
    return { ...reply, headers: { ...reply.headers, Connection: 'close' } };
  }
};

export const service = (stages: readonly Stage[]): Server => previous([problems, ...stages]);
