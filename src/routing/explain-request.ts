/** Asks every route about one request and collects the answers, so that people see why each route matches or not. */
import { matchRoute } from './match/match-route.ts';
import { RoutePath } from './match/route-path.ts';
import { SegmentBounds } from './match/segment-bounds.ts';
import type { PreparedRoute } from './route/prepared-route.ts';
import { upperCaseMethod } from './text/upper-case-method.ts';
import type { BoundedConstraint, RouteTrial } from './trial.ts';

/** Returns the answer of each route. `path` is percent-encoded. Throws a `URIError` for a malformed escape. */
export function explainRequest(routes: readonly PreparedRoute[], method: string, path: string): readonly RouteTrial[] {
  const splitPath = new RoutePath(path, new SegmentBounds());
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
