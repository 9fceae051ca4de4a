/** What the routes of a collection say when they are asked one by one, for those who want to know why. */
import type { LengthBound } from './constraints/constraint.ts';
import type { Route, RouteValues } from './route/route.ts';

/** A constraint of a route that bounds the length of a value (D37). */
export interface BoundedConstraint extends LengthBound {
  /** The name of the value. */
  readonly name: string;
  /** The constraint as it is written. */
  readonly constraint: string;
}

/** What one route says of a request. */
export type RouteTrial = { readonly route: Route; readonly bounds: readonly BoundedConstraint[] } & (
  | { readonly accepted: true; readonly values: RouteValues }
  /** With a status the request is answered by it, and no later route is asked: 414 for a value that is too long for its constraint. */
  | { readonly accepted: false; readonly reason: string; readonly status?: number }
);

/** What one route says of a link. */
export type LinkTrial = { readonly route: Route } & (
  | { readonly accepted: true; readonly path: string }
  | { readonly accepted: false; readonly reason: string }
);
