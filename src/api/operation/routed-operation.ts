/** What the route of an operation carries: the operation itself, as the data token `operation` (§4.3 rule 6). */
import type { Route } from '../../routing/route/route.ts';
import type { Controller } from './controller.ts';
import type { Operation } from './operation.ts';

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
