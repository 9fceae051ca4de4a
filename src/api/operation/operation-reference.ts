/** Refers to operations: the targets of links and of Location headers. */

/** An operation, as far as a link refers to it. */
export interface OperationReference {
  readonly method: string;
  readonly path: string;
}

/** The names of the routes of a controller's operations. */
export type OperationNames = Map<OperationReference, string>;

/** The name of the route that a link leads to; undefined for an operation of another controller. */
export const routeNameOf = (to: string | OperationReference, names: OperationNames): string | undefined =>
  typeof to === 'string' ? to : names.get(to);
