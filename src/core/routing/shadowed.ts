/**
 * Finds routes that no request can reach, because earlier routes match every path that they match.
 *
 * After `{*rest}` no route is reached; after `api/{id}` the route `api/{key:int}` is not. After `api/{id:int}` the
 * route `api/{name}` is reached. The result is certain but not complete: a constraint of the earlier route counts as
 * fulfilled only where the later route has the same constraint or a literal that it accepts. An application asks when
 * it is composed, so the search ends after `MAX_STEPS`, a path or a pair of routes each: later routes are not judged.
 */
import { splitPath } from '../message/path.ts';
import { foldCase } from '../message/text.ts';
import { PredicateConstraint, type RouteConstraint } from './constraints/constraint.ts';
import type { ConstrainedValue, PreparedRoute } from './prepared-route.ts';
import type { Route } from './route.ts';
import type { RouteIndex } from './route-index.ts';
import type { Parameter, Segment } from './template.ts';

/** A route that no request reaches. */
export interface ShadowedRoute {
  readonly route: Route;
  /** The first of the routes that take its requests. */
  readonly by: Route;
  /** A request that fits the route and goes to the other. */
  readonly method: string;
  readonly path: string;
}

const MAX_STEPS = 5_000;

export function shadowedRoutes(routes: readonly PreparedRoute[], index: RouteIndex): readonly ShadowedRoute[] {
  const shadowed: ShadowedRoute[] = [];
  let steps = 0;
  for (const prepared of routes) {
    const { route, position, methods } = prepared;
    // Earlier routes may take the requests together, each with other methods and numbers of segments.
    const takers = segmentCounts(prepared).flatMap((count) => {
      const candidates = index.candidates(splitPath(examplePath(prepared, count)));
      const earlier = candidates.filter((one) => one.position < position);
      steps += 1 + earlier.length;
      return (methods ?? [undefined]).map((method) => earlier.find((one) => covers(one, prepared, method, count)));
    });
    if (steps > MAX_STEPS) break;
    if (takers.includes(undefined)) continue;
    const path = examplePath(prepared, route.template.segments.length);
    shadowed.push({ route, by: takers[0]!.route, method: methods?.[0] ?? 'GET', path });
  }
  return shadowed;
}

/** Returns the numbers of segments that a path of the route can have. One segment stands for all of a catch-all. */
function segmentCounts({ requiredSegments, route }: PreparedRoute): readonly number[] {
  const most = route.template.segments.length;
  return Array.from({ length: most - requiredSegments + 1 }, (_, more) => requiredSegments + more);
}

/** True if `before` takes every request of `after` with this method (any if undefined) and this number of segments. */
function covers(before: PreparedRoute, after: PreparedRoute, method: string | undefined, count: number): boolean {
  if (before.methods !== undefined && (method === undefined || !before.methods.includes(method))) return false;
  // It has as many segments, for the index has proposed it.
  const { segments } = before.route.template;
  const last = segments.at(-1);
  const fits = after.route.template.segments.slice(0, count).every((other, depth) => {
    const segment = segments[depth] ?? last!;
    return isCatchAll(segment) || (!isCatchAll(other) && coversSegment(segment, other));
  });
  return fits && before.constrained.every((value) => isFulfilled(value, before, after, count));
}

const isCatchAll = ([part]: Segment): boolean => part!.kind === 'parameter' && part!.catchAll;

/** True if the segment matches every text that the other matches. */
const coversSegment = (segment: Segment, other: Segment): boolean =>
  (segment.length === 1 && segment[0]!.kind === 'parameter') || formOf(segment) === formOf(other);

const formOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'literal' ? foldCase(part.text) : part.optional ? '\0?' : '\0')).join('\0\0');

/** True if each request of `after` with `count` segments fulfils the constraints of `before` on one value. */
function isFulfilled(value: ConstrainedValue, before: PreparedRoute, after: PreparedRoute, count: number): boolean {
  const { key, parameter, constraints } = value;
  if (parameter !== undefined && before.route.template.segments[parameter.depth]!.length > 1) return false;
  if (parameter !== undefined && parameter.depth < count) {
    const segment = after.route.template.segments[parameter.depth]!;
    const [part, ...more] = segment;
    // The value of a catch-all can be more than one segment.
    if (more.length > 0 || (parameter.catchAll && !isCatchAll(segment))) return false;
    if (part?.kind === 'literal') return constraints.every((one) => acceptsValue(one, part.text));
    const others = after.constrained.find((one) => one.parameter === part)?.constraints ?? [];
    return constraints.every((constraint) => others.some((one) => sameConstraint(one, constraint)));
  }
  const fallback = before.defaults.get(key)?.value;
  if (fallback === undefined && parameter?.optional) return true;
  return constraints.every((one) => acceptsValue(one, fallback ?? undefined));
}

const SAMPLES = 'x 1 42 abc true 2009-05-12 1.5 00000000-0000-0000-0000-000000000000 abcdefgh 12345678 a list'.split(
  ' ',
);

/** Returns a path of `count` segments. It matches if each constrained value accepts its name or one of the samples. */
function examplePath({ route, constrained }: PreparedRoute, count: number): string {
  const valueOf = (parameter: Parameter): string => {
    const constraints = constrained.find((value) => value.parameter === parameter)?.constraints ?? [];
    const samples = [parameter.name, ...SAMPLES];
    return samples.find((sample) => constraints.every((one) => acceptsValue(one, sample))) ?? SAMPLES[0]!;
  };
  const segments = route.template.segments
    .slice(0, count)
    .map((parts) => parts.map((part) => encodeURIComponent(part.kind === 'literal' ? part.text : valueOf(part))));
  return `/${segments.map((parts) => parts.join('')).join('/')}`;
}

/**
 * True if a constraint accepts a value of a path. An undefined value is absent. A constraint of a plugin is not asked:
 * it may count, or throw.
 */
const acceptsValue = (constraint: RouteConstraint, value: string | undefined): boolean =>
  isPure(constraint) && constraint.accepts(value, 'match');

const isPure = (constraint: RouteConstraint): boolean => constraint instanceof PredicateConstraint && constraint.isPure;

/** True if both certainly accept the same values: two constraints of the developer may have one text. */
function sameConstraint(one: RouteConstraint, other: RouteConstraint): boolean {
  if (one === other || (isPure(one) && isPure(other))) return one.text === other.text;
  return (
    one instanceof PredicateConstraint && other instanceof PredicateConstraint && one.predicate === other.predicate
  );
}

/**
 * Returns a line with the remedy for each segment that is valid but probably not meant, without repetitions: `:id` is a
 * parameter in other frameworks, and a text here (D65), so `api/:id` falls through for `/api/42`.
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
