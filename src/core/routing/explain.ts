/** Explains why each route matches a request or not, and why it has a link for some values or not. */
import { splitPath } from '../http/path.ts';
import { foldCase } from '../http/text.ts';
import { linkTexts } from './link-route.ts';
import { fits, matchRoute, takesMethod } from './match-route.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { LinkValues, Route, RouteValues } from './route.ts';

/** The result of one route for a request. If `proposed` is false, its method, literals or number of segments differ. */
export type RouteTrial = {
  readonly route: Route;
  readonly proposed: boolean;
} & ({ readonly accepted: true; readonly values: RouteValues } | { readonly accepted: false; readonly reason: string });

/** The result of one route for the values of a link. */
export type LinkTrial = { readonly route: Route } & (
  | { readonly accepted: true; readonly path: string }
  | { readonly accepted: false; readonly reason: string }
);

/** Returns the result of each route for a request. `path` is percent-encoded. */
export function explainRequest(routes: readonly PreparedRoute[], method: string, path: string): readonly RouteTrial[] {
  const segments = splitPath(path);
  const upperCase = method.toUpperCase();
  return routes.map((prepared) => {
    const { route } = prepared;
    const proposed = takesMethod(prepared, upperCase) && fits(prepared, segments);
    const result = proposed
      ? matchRoute(prepared, { path, segments })
      : { reason: differenceFrom(prepared, upperCase, segments) };
    return 'values' in result
      ? { route, proposed, accepted: true, values: { ...result.values } }
      : { route, proposed, accepted: false, reason: result.reason };
  });
}

/** Returns why a route does not fit: the first difference in method, literals or number of segments. */
function differenceFrom(prepared: PreparedRoute, method: string, sent: readonly string[]): string {
  const { methods, literals, maxSegments } = prepared;
  if (methods?.includes(method) === false) return `method is ${method}, route wants ${methods.join(' or ')}`;
  for (const [depth, segment] of sent.entries()) {
    const literal = literals[depth];
    if (depth === maxSegments) return `nothing in the template matches ${JSON.stringify(segment)}`;
    if (segment === '') return `segment ${depth + 1} of the path is empty`;
    if (literal !== undefined && literal.key !== foldCase(segment))
      return `segment ${depth + 1} is ${JSON.stringify(segment)}, route wants "${literal.text}"`;
  }
  const missing = prepared.route.template.segments
    .slice(sent.length)
    .flat()
    .find((part) => part.kind === 'literal' || !part.optional);
  return `the path ends before ${missing?.kind === 'literal' ? `"${missing.text}"` : `{${missing?.name}}`}`;
}

export function failedLink(subject: string, values: LinkValues, cause: string): Error {
  const texts = [...linkTexts(values).values()].map(({ name, text }) => [name, text]);
  return new Error(`Cannot make ${subject} for ${JSON.stringify(Object.fromEntries(texts))}: ${cause}`);
}

/** Returns the mistake and the remedy for a name that no route has. */
export const missingRoute = (name: string): string => `there is no route named "${name}"; give the name of a route`;

/** Returns the methods of a route: `GET,HEAD`, or `*` for any method. */
export const methodsText = ({ method = '*' }: Route): string => [method].flat().join(',').toUpperCase();

/** Returns the values of a match, the reason of a mismatch such as `{id:int} rejects "x7"`, or the path of a link. */
export function trialText(trial: RouteTrial | LinkTrial): string {
  if ('path' in trial) return trial.path;
  return trial.accepted ? JSON.stringify(trial.values) : trial.reason;
}

/** Returns the route with its methods, in quotes: `"GET api/todo"`, or `"api/todo"` for any method. */
export const routeText = (route: Route): string =>
  `"${route.method === undefined ? '' : `${methodsText(route)} `}${route.template.text}"`;
