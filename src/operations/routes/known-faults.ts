/** Turns the errors of handlers that an application knows into results. */
import { HttpProblem } from '../../core/http/problem.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { Faults } from '../operations.ts';

/** Returns the handler. If it throws an error for which `faults` returns a result, it returns this result instead. */
export function withKnownFaults(handle: AnyOperation['handle'], faults: Faults | undefined): AnyOperation['handle'] {
  if (faults === undefined) return handle;
  return async (input) => {
    try {
      return await handle(input);
    } catch (error) {
      const result = error instanceof HttpProblem ? undefined : faults(error, input.context);
      if (result === undefined) throw error;
      return result;
    }
  };
}
