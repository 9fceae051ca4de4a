/** Turns the errors of handlers that an application knows into results. */
import type { AnyOperation } from '../operation/operation.ts';
import type { OperationInput } from '../operation/operation-input.ts';
import type { Result } from '../operation/results.ts';
import type { Faults } from '../operations.ts';

/** Returns the handler. If it throws an error for which `faults` returns a result, it returns this result instead. */
export function withKnownFaults(handle: AnyOperation['handle'], faults: Faults | undefined): AnyOperation['handle'] {
  if (faults === undefined) return handle;
  const resultOf = (error: unknown, { context }: OperationInput<string, undefined>): Result => {
    const result = faults(error, context);
    if (result === undefined) throw error;
    return result;
  };
  return (input) => {
    try {
      const returned = handle(input);
      return returned instanceof Promise ? returned.catch((error) => resultOf(error, input)) : returned;
    } catch (error) {
      return resultOf(error, input);
    }
  };
}
