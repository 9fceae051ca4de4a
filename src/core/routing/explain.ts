/** Asks every route about one request and collects the answers, so that people see why each route matches or not. */
import { splitPath } from '../message/path.ts';
import { foldCase } from '../message/text.ts';
import {
  applyLinkStyle,
  isGiven,
  type LinkStyle,
  type LinkText,
  type LinkTexts,
  linkRoute,
  linkTexts,
  reuseOf,
} from './link-route.ts';
import { matchRoute } from './match-route.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { LinkOrigin, LinkValues, Route, RouteValues } from './route.ts';
import { type RouteIndex, takesMethod } from './route-index.ts';

/** What one route answers to a request. One that the index has not `proposed` is not tried. */
export type RouteTrial = {
  readonly route: Route;
  readonly proposed: boolean;
} & ({ readonly accepted: true; readonly values: RouteValues } | { readonly accepted: false; readonly reason: string });

/** What one route answers to the values for a link, and what becomes of each value. */
export type LinkTrial = {
  readonly route: Route;
  /** The given ones first. `text` is the value as JSON; `use` says in words whether the route takes it, and why not. */
  readonly values: readonly { readonly name: string; readonly text: string; readonly use: string }[];
} & ({ readonly accepted: true; readonly path: string } | { readonly accepted: false; readonly reason: string });

/** Returns the answer of each route. `path` is percent-encoded. */
export function explainRequest(
  routes: readonly PreparedRoute[],
  index: RouteIndex,
  method: string,
  path: string,
): readonly RouteTrial[] {
  const segments = splitPath(path);
  const upperCase = method.toUpperCase();
  const candidates = index.candidates(segments, upperCase);
  return routes.map((prepared) => {
    const { route } = prepared;
    const proposed = candidates.includes(prepared);
    const result = proposed
      ? matchRoute(prepared, { path, segments })
      : { reason: differenceFrom(prepared, upperCase, segments) };
    return 'values' in result
      ? { route, proposed, accepted: true, values: { ...result.values } }
      : { route, proposed, accepted: false, reason: result.reason };
  });
}

/** Says why the index does not propose a route: the first difference in method, literals and number of segments. */
function differenceFrom(prepared: PreparedRoute, method: string, sent: readonly string[]): string {
  if (!takesMethod(prepared, method)) return `method is ${method}, route wants ${prepared.methods!.join(' or ')}`;
  const { segments } = prepared.route.template;
  for (const [depth, segment] of sent.entries()) {
    const [part, ...more] = segments[depth] ?? [];
    if (part === undefined) return `nothing in the template matches ${JSON.stringify(segment)}`;
    if (segment === '') return `segment ${depth + 1} of the path is empty`;
    if (part.kind === 'literal' && more.length === 0 && foldCase(segment) !== foldCase(part.text))
      return `segment ${depth + 1} is ${JSON.stringify(segment)}, route wants "${part.text}"`;
  }
  const missing = segments
    .slice(sent.length)
    .flat()
    .find((part) => part.kind === 'literal' || !part.optional);
  return `the path ends before ${missing?.kind === 'literal' ? `"${missing.text}"` : `{${missing?.name}}`}`;
}

/** Returns the answer of one route to the values for a link. */
export function explainLink(
  prepared: PreparedRoute,
  given: LinkTexts,
  ambient: LinkTexts,
  style: LinkStyle,
): LinkTrial {
  const { route, defaults, constrained } = prepared;
  const { kept, differing } = reuseOf(prepared, given, ambient);
  const isParameter = (key: string): boolean => route.template.parameters.some((one) => one.key === key);
  const givenUse = (key: string, text: LinkText): string => {
    if (!isGiven(text)) return 'given, not written: it is empty';
    if (isParameter(key)) return 'given, in the path';
    return defaults.get(key) ? 'given, not written: it is a default of the route' : 'given, in the query';
  };
  const ambientUse = (key: string): string => {
    if (given.has(key)) return 'ambient, dropped: a value is given';
    if (kept.has(key)) return 'ambient, kept';
    if (isParameter(key)) return `ambient, dropped: {${differing}} in front of it has another value now`;
    const isAsked = constrained.some((one) => one.key === key);
    return isAsked ? 'ambient, for a constraint alone' : 'ambient, dropped: the template has no such parameter';
  };
  const values = [
    ...[...given].map(([key, { name, text }]) => ({ name, text: JSON.stringify(text), use: givenUse(key, text) })),
    ...[...ambient].map(([key, { name, text }]) => ({ name, text: JSON.stringify(text), use: ambientUse(key) })),
  ];
  const result = linkRoute(prepared, given, ambient);
  if ('reason' in result) return { route, values, accepted: false, ...result };
  return { route, values, accepted: true, path: applyLinkStyle(result.path, style) };
}

/** The error of a link. `trial` is that of the route that refuses it; undefined where no route has the name. */
export function refusedLink(attempt: string, values: LinkValues, { name = '' }: LinkOrigin, trial?: LinkTrial): Error {
  if (trial === undefined || trial.accepted) return failedLink(attempt, values, missingRoute(name));
  const { name: own, template } = trial.route;
  const cause = `the route "${name || own || template.text}" has no path for these values: ${trial.reason}`;
  return failedLink(attempt, values, `${cause}; give what "${template.text}" takes`);
}

/** The error of a link that cannot be made, with its cause. */
export function failedLink(attempt: string, values: LinkValues, cause: string): Error {
  const texts = [...linkTexts(values).values()].map(({ name, text }) => [name, text]);
  return new Error(`Cannot make ${attempt} for ${JSON.stringify(Object.fromEntries(texts))}: ${cause}`);
}

/** What is wrong with a name that no route has, and the remedy. */
export const missingRoute = (name: string): string => `there is no route named "${name}"; give the name of a route`;

/** The methods of a route: `GET,HEAD`, `*` for any. */
export const methodsText = ({ method = '*' }: Route): string => [method].flat().join(',').toUpperCase();

/** The values of a route that matches, or why it does not: `{"id":"x7"}`, `{id:int} rejects "x7"`; a link. */
export function trialText(trial: RouteTrial | LinkTrial): string {
  if ('path' in trial) return trial.path;
  return trial.accepted ? JSON.stringify(trial.values) : trial.reason;
}

/** The route with its methods, quoted: `"GET api/todo"`, `"api/todo"` for any method. */
export const routeText = (route: Route): string =>
  `"${route.method === undefined ? '' : `${methodsText(route)} `}${route.template.text}"`;
