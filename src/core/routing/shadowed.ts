/**
 * Finds routes that no request can reach, because earlier routes match all of their requests.
 *
 * After `{*rest}`, no route can be reached. After `api/{id}`, the route `api/{key:int}` cannot be reached. After
 * `api/{id:int}`, the route `api/{name}` can be reached. Every reported route is certainly unreachable, but the search
 * misses some unreachable routes. It relies on a constraint of the earlier route only if the later route has the same
 * constraint, or a fixed value that the constraint accepts. The search runs whenever an application is composed, so it
 * stops after `MAX_STEPS` example paths and compared pairs of routes.
 */
import { splitPath } from '../message/path.ts';
import { foldCase } from '../message/text.ts';
import { PredicateConstraint, type RouteConstraint } from './constraints/constraint.ts';
import type { ConstrainedValue, PreparedRoute } from './prepared-route.ts';
import type { Route } from './route.ts';
import type { RouteIndex } from './route-index.ts';
import type { Parameter, Segment } from './template.ts';

/** A route that no request can reach. */
export interface ShadowedRoute {
  readonly route: Route;
  /** An earlier route that matches requests of this route. */
  readonly by: Route;
  /** The method and the path of a request that matches this route, but reaches an earlier route. */
  readonly method: string;
  readonly path: string;
}

const MAX_STEPS = 5_000;

export function shadowedRoutes(routes: readonly PreparedRoute[], index: RouteIndex): readonly ShadowedRoute[] {
  const shadowed: ShadowedRoute[] = [];
  let steps = 0;
  for (const prepared of routes) {
    const { route, position, methods } = prepared;
    // It may take several earlier routes to match all requests, each for some methods and numbers of segments.
    const takers = segmentCounts(prepared).flatMap((count) => {
      const candidates = index.candidates(splitPath(examplePath(prepared, count)));
      const earlier = candidates.filter((candidate) => candidate.position < position);
      steps += 1 + earlier.length;
      return (methods ?? [undefined]).map((method) => earlier.find((other) => covers(other, prepared, method, count)));
    });
    if (steps > MAX_STEPS) break;
    if (takers.includes(undefined)) continue;
    const path = examplePath(prepared, route.template.segments.length);
    shadowed.push({ route, by: takers[0]!.route, method: methods?.[0] ?? 'GET', path });
  }
  return shadowed;
}

/** Returns the numbers of segments that a path of this route can have. A catch-all adds one segment. */
function segmentCounts({ requiredSegments, route }: PreparedRoute): readonly number[] {
  const most = route.template.segments.length;
  return Array.from({ length: most - requiredSegments + 1 }, (_, more) => requiredSegments + more);
}

/** True if `before` matches all requests of `after` with this method (undefined: any) and `count` segments. */
function covers(before: PreparedRoute, after: PreparedRoute, method: string | undefined, count: number): boolean {
  if (before.methods !== undefined && (method === undefined || !before.methods.includes(method))) return false;
  // The index has proposed `before`, so its template allows this number of segments.
  const { segments } = before.route.template;
  const last = segments.at(-1);
  const fits = after.route.template.segments.slice(0, count).every((other, depth) => {
    const segment = segments[depth] ?? last!;
    return isCatchAll(segment) || (!isCatchAll(other) && coversSegment(segment, other));
  });
  return fits && before.constrained.every((value) => isFulfilled(value, before, after, count));
}

const isCatchAll = ([part]: Segment): boolean => part!.kind === 'parameter' && part!.catchAll;

/** True if `segment` matches every text that `other` matches. */
const coversSegment = (segment: Segment, other: Segment): boolean =>
  (segment.length === 1 && segment[0]!.kind === 'parameter') || formOf(segment) === formOf(other);

const formOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'literal' ? foldCase(part.text) : part.optional ? '\0?' : '\0')).join('\0\0');

/** True if each request of `after` with `count` segments fulfils the constraints that `before` has on this value. */
function isFulfilled(value: ConstrainedValue, before: PreparedRoute, after: PreparedRoute, count: number): boolean {
  const { key, parameter, constraints } = value;
  if (parameter !== undefined && before.route.template.segments[parameter.depth]!.length > 1) return false;
  if (parameter !== undefined && parameter.depth < count) {
    const segment = after.route.template.segments[parameter.depth]!;
    const [part, ...more] = segment;
    // The value of a catch-all can have several segments.
    if (more.length > 0 || (parameter.catchAll && !isCatchAll(segment))) return false;
    if (part?.kind === 'literal') return constraints.every((constraint) => acceptsValue(constraint, part.text));
    const others = after.constrained.find((other) => other.parameter === part)?.constraints ?? [];
    return constraints.every((constraint) => others.some((other) => sameConstraint(other, constraint)));
  }
  const fallback = before.defaults.get(key)?.value;
  if (fallback === undefined && parameter?.optional) return true;
  return constraints.every((constraint) => acceptsValue(constraint, fallback ?? undefined));
}

const SAMPLES = 'x 1 42 abc true 2009-05-12 1.5 00000000-0000-0000-0000-000000000000 abcdefgh 12345678 a list'.split(
  ' ',
);

/**
 * Returns a path of `count` segments. The path matches the route if the constraints of each parameter accept the name
 * of the parameter, or one of the samples, as its value.
 */
function examplePath({ route, constrained }: PreparedRoute, count: number): string {
  const valueOf = (parameter: Parameter): string => {
    const constraints = constrained.find((value) => value.parameter === parameter)?.constraints ?? [];
    const samples = [parameter.name, ...SAMPLES];
    return samples.find((sample) => constraints.every((constraint) => acceptsValue(constraint, sample))) ?? SAMPLES[0]!;
  };
  const segments = route.template.segments
    .slice(0, count)
    .map((parts) => parts.map((part) => encodeURIComponent(part.kind === 'literal' ? part.text : valueOf(part))));
  return `/${segments.map((parts) => parts.join('')).join('/')}`;
}

/**
 * True if a constraint is known to accept a value of a path. A missing value is undefined. Only pure constraints are
 * called, because a custom constraint may count its calls, or throw.
 */
const acceptsValue = (constraint: RouteConstraint, value: string | undefined): boolean =>
  isPure(constraint) && constraint.accepts(value, 'match');

const isPure = (constraint: RouteConstraint): boolean => constraint instanceof PredicateConstraint && constraint.isPure;

/** True if both certainly accept the same values. Custom constraints with the same text can differ. */
function sameConstraint(left: RouteConstraint, right: RouteConstraint): boolean {
  if (left === right || (isPure(left) && isPure(right))) return left.text === right.text;
  return (
    left instanceof PredicateConstraint && right instanceof PredicateConstraint && left.predicate === right.predicate
  );
}

/**
 * Returns a warning for each segment that is valid but probably a mistake; each warning once. `:id` is a parameter in
 * other frameworks, but a literal here (D65). So `api/:id` does not match `/api/42`.
 */
export function doubtfulTemplates(routes: Iterable<Route>): readonly string[] {
  const lines = [...routes].flatMap(({ template: { text, segments } }) =>
    segments.flatMap(([part, ...more]) => {
      const name = part?.kind === 'literal' && more.length === 0 && /^:([A-Za-z_]\w*)$/.exec(part.text)?.[1];
      return name ? `The route "${text}" matches the text ":${name}" itself; write "{${name}}" for a parameter` : [];
    }),
  );
  return [...new Set(lines)];
}
