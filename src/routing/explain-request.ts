/** Asks every route about one request and collects the answers, so that people see why each route matches or not. */
import type { LengthBound } from './constraints/constraint.ts';
import { matchRoute } from './match/match-route.ts';
import { RoutePath } from './match/route-path.ts';
import type { PreparedRoute } from './route/prepared-route.ts';
import type { Route, RouteValues } from './route/route.ts';
import { upperCaseMethod } from './text/upper-case-method.ts';

/** What one route answers to a request. `bounds` lists its constraints that bound the length of a value (D37). */
export type RouteTrial = { readonly route: Route; readonly bounds: readonly BoundedConstraint[] } & (
  | { readonly accepted: true; readonly values: RouteValues }
  /** A `status` answers the request, and no later route is tried: 414 for a value that is too long. */
  | { readonly accepted: false; readonly reason: string; readonly status?: number }
);

/** A constraint that bounds the length of a value. */
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

/** Returns the answer of each route. `path` is percent-encoded. Throws a `URIError` for a malformed escape. */
export function explainRequest(routes: readonly PreparedRoute[], method: string, path: string): readonly RouteTrial[] {
  const splitPath = new RoutePath(path);
  const count = splitPath.split();
  const upperCase = upperCaseMethod(method);
  return routes.map((prepared) => {
    const result = matchRoute(prepared, upperCase, splitPath, count);
    const trial = { route: prepared.route, bounds: boundsOf(prepared) };
    if ('values' in result) return { ...trial, accepted: true, values: result.values };
    const rejected = { ...trial, accepted: false, reason: result.reason } as const;
    return result.problem === undefined ? rejected : { ...rejected, status: result.problem.status };
  });
}

const boundsOf = ({ constrained }: PreparedRoute): readonly BoundedConstraint[] =>
  constrained.flatMap(({ name, constraints }) =>
    constraints.flatMap(({ text, bound }) => (bound === undefined ? [] : [{ ...bound, name, constraint: text }])),
  );
