/**
 * Finds mistakes in the order and the templates of routes when an application is composed.
 *
 * A route is reported as shadowed only if one earlier route certainly takes all its requests: an earlier route without
 * constraints whose template matches each of its paths, or an earlier route with the same template. After `{*rest}`, no
 * route can be reached. After `api/{id:int}`, the route `api/{name}` can be reached.
 */
import { nestedRepetition } from './constraints/repetition.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { Route } from './route.ts';
import { RouteIndex } from './route-index.ts';
import type { Segment } from './template.ts';

/** A route that no request can reach. */
export interface ShadowedRoute {
  readonly route: Route;
  /** An earlier route that matches all requests of this route. */
  readonly by: Route;
}

export function shadowedRoutes(routes: readonly PreparedRoute[]): readonly ShadowedRoute[] {
  const index = new RouteIndex(routes);
  return routes.flatMap((prepared) => {
    const { route } = prepared;
    // A route that takes all paths of this route is also a candidate for its longest path, whatever the values are.
    const path = route.template.segments.map((parts) => parts.map((part) => literalOf(part) ?? 'x').join(''));
    const [method = '*'] = prepared.methods ?? [];
    const by = index.routesFor(method, path).find((other) => other === prepared || takesAll(other, prepared));
    return by === undefined || by === prepared ? [] : { route, by: by.route };
  });
}

function takesAll(before: PreparedRoute, after: PreparedRoute): boolean {
  const takesMethods =
    before.methods === undefined || after.methods?.every((method) => before.methods!.includes(method));
  if (!takesMethods || before.requiredSegments > after.requiredSegments) return false;
  if (before.constrained.length > 0) return isSame(before.route, after.route);
  const { segments } = before.route.template;
  const last = segments.at(-1)!;
  return after.route.template.segments.every((other, depth) => {
    const segment = segments[depth] ?? last;
    return isCatchAll(segment) || (!isCatchAll(other) && takesSegment(segment, other));
  });
}

/** True if both have the same template, and nothing outside of it decides about a match. */
const isSame = (left: Route, right: Route): boolean =>
  left.template.text === right.template.text &&
  [left, right].every(({ defaults, constraints }) => defaults === undefined && constraints === undefined);

const isCatchAll = ([part]: Segment): boolean => part?.kind === 'parameter' && part.catchAll;

const takesSegment = (segment: Segment, other: Segment): boolean =>
  (segment.length === 1 && literalOf(segment[0]!) === undefined) || formOf(segment) === formOf(other);

const literalOf = (part: Segment[number]): string | undefined => (part.kind === 'literal' ? part.text : undefined);

/** Returns the segment without the names of its parameters. */
const formOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'literal' ? part.key : part.optional ? '\0?' : '\0')).join('\0\0');

/**
 * Returns a warning for each segment and each expression that is valid but probably a mistake; each warning once. `:id`
 * is a parameter in other frameworks, but a literal here (D65). So `api/:id` does not match `/api/42`.
 */
export function doubtfulTemplates(routes: Iterable<Route>): readonly string[] {
  const lines = [...routes].flatMap(({ template: { text, segments, parameters }, constraints = {} }) => {
    const names = segments.flatMap(([part, ...more]) =>
      part?.kind === 'literal' && more.length === 0 ? (/^:([A-Za-z_]\w*)$/.exec(part.text)?.[1] ?? []) : [],
    );
    const inline = parameters.flatMap((parameter) => parameter.constraints.map((constraint) => constraint.text));
    const outside = Object.values(constraints).map((value) => (value instanceof RegExp ? value.source : value));
    const expressions = [...inline, ...outside].filter((value) => typeof value === 'string');
    return [
      names.map((name) => `The route "${text}" matches the text ":${name}" itself; write "{${name}}" for a parameter`),
      expressions.flatMap((source) => nestedRepetition(source, `the route "${text}"`, PREDICATE) ?? []),
    ].flat();
  });
  return [...new Set(lines)];
}

const PREDICATE = 'give a predicate, (value) => …, outside the template';
