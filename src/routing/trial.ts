/** Declares what each route answers to a request or to the values for a link, for people who want to know why. */
import type { LengthBound } from './constraints/constraint.ts';
import type { Route, RouteValues } from './route/route.ts';

/** What one route answers to a request. `bounds` lists its constraints that bound the length of a value (D37). */
export type RouteTrial = { readonly route: Route; readonly bounds: readonly BoundedConstraint[] } & (
  | { readonly accepted: true; readonly values: RouteValues }
  /** A `status` answers the request, and no later route is tried: 414 for a value that is too long. */
  | { readonly accepted: false; readonly reason: string; readonly status?: number }
);

export interface BoundedConstraint extends LengthBound {
  readonly name: string;
  /** The constraint as the template or the options spell it. */
  readonly constraint: string;
}

/** What one route answers to the values for a link. */
export type LinkTrial = { readonly route: Route } & (
  | { readonly accepted: true; readonly path: string }
  | { readonly accepted: false; readonly reason: string }
);
