/**
 * Declares a controller, and what the route of an operation carries: the data token `operation` (§4.3 rule 6).
 */
import type { Route } from '../../routing/route/route.ts';
import type { AnyOperation, Operation } from './operation.ts';

/** Operations that share a path and a tag in the description, in the order of their routes. */
export interface Controller {
  /** The tag in the description, `Todo` for example. */
  readonly name: string;
  /** The template in front of every operation's, `api/todo` for example (§4.1 rule 7). */
  readonly path: string;
  readonly operations: readonly AnyOperation[];
}

/** An operation with the controller that it belongs to. */
export interface RoutedOperation {
  readonly controller: Controller;
  readonly operation: Operation;
  /** The operationId. It is the name of the route too. */
  readonly id: string;
}

/** The operation that a route carries; undefined for a route that was made without one. */
export const operationOf = ({ dataTokens }: Route): RoutedOperation | undefined =>
  dataTokens?.['operation'] as RoutedOperation | undefined;

/** The media types that an operation lists; else JSON where a success has a schema, else none (D14). */
export function producedMediaTypes({ produces, responses }: Operation): readonly string[] {
  const hasBody = Object.entries(responses).some(
    ([status, { schema }]) => Number(status) < 300 && schema !== undefined,
  );
  return produces ?? (hasBody ? ['application/json'] : []);
}
