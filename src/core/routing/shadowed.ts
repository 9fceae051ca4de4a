/**
 * Finds routes that no request can reach, because earlier routes match every path that they match.
 *
 * After `{*rest}` no route is reached; after `api/{id}` the route `api/{key:int}` is not. After `api/{id:int}` the
 * route `api/{name}` is reached. The result is certain but not complete: a constraint of the earlier route counts as
 * fulfilled only where the later route has the same constraint or a literal that it accepts. An application asks when
 * it is composed, so the search ends after `MAX_STEPS`, a path or a pair of routes each: later routes are not judged.
 */
import { PredicateConstraint, type RouteConstraint, rejectionOf } from './constraints/constraint.ts';
import { RoutePath } from './match-route.ts';
import { type ConstrainedValue, defaultOf, type PreparedRoute } from './prepared-route.ts';
import type { Route } from './route.ts';
import type { RouteIndex } from './route-index.ts';
import type { Parameter, Segment } from './template.ts';
import { foldCase } from './text.ts';

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
  const search: Search = { index, left: MAX_STEPS };
  for (const prepared of routes) {
    const by = coverOf(prepared, search);
    if (search.left < 0) break;
    if (by === undefined) continue;
    const path = examplePath(prepared, segmentCounts(prepared).at(-1)!);
    shadowed.push({ route: prepared.route, by: by.route, method: prepared.methods?.[0] ?? 'GET', path });
  }
  return shadowed;
}

interface Search {
  readonly index: RouteIndex;
  /** How many steps may still be taken. */
  left: number;
}

/** Returns the first of the earlier routes that together take every request of this one, or undefined. */
function coverOf(prepared: PreparedRoute, search: Search): PreparedRoute | undefined {
  let first: PreparedRoute | undefined;
  for (const count of segmentCounts(prepared)) {
    const earlier = earlierCandidates(prepared, examplePath(prepared, count), search);
    for (const method of prepared.methods ?? [undefined]) {
      const cover = earlier.find((one) => covers(one, prepared, method, count));
      if (cover === undefined) return undefined;
      first ??= cover;
    }
  }
  return first;
}

function earlierCandidates({ position }: PreparedRoute, path: string, search: Search): readonly PreparedRoute[] {
  const earlier: PreparedRoute[] = [];
  const candidates = search.index.candidates(new RoutePath(path));
  search.left--;
  for (let one = candidates.next(); one !== undefined; one = candidates.next()) {
    if (one.position >= position || search.left-- <= 0) break;
    earlier.push(one);
  }
  return earlier;
}

/** True if `before` takes every request of `after` with this method (any if undefined) and this number of segments. */
function covers(before: PreparedRoute, after: PreparedRoute, method: string | undefined, count: number): boolean {
  if (before.methods !== undefined && (method === undefined || !before.methods.includes(method))) return false;
  const own = before.route.template.segments;
  const others = after.route.template.segments;
  const most = before.route.template.parameters.at(-1)?.catchAll ? Infinity : own.length;
  if (count < before.requiredSegments || count > most) return false;
  for (let depth = 0; depth < count; depth++) {
    const segment = own[depth]!;
    const other = others[depth];
    if (isCatchAll(segment)) break;
    if (other === undefined || isCatchAll(other) || !coversSegment(segment, other)) return false;
  }
  return before.constrained.every((value) => fulfils(value, before, after, count));
}

/** True if each request of `after` with `count` segments fulfils the constraints of `before` on one value. */
function fulfils(value: ConstrainedValue, before: PreparedRoute, after: PreparedRoute, count: number): boolean {
  const { key, parameter, constraints } = value;
  const { segments } = before.route.template;
  const depth = segments.findIndex((segment) => segment.length === 1 && segment[0] === parameter);
  if (parameter !== undefined && depth < 0) return false; // in a segment of several parts
  if (depth >= 0 && depth < count) {
    const other = after.route.template.segments[depth];
    if (parameter!.catchAll && !isCatchAll(other!)) return false; // the value is more than one segment
    return constraints.every((constraint) => fulfilsConstraint(other, constraint, after));
  }
  const fallback = defaultOf(before.defaults, key)?.value;
  if (fallback === undefined && parameter?.optional) return true;
  return constraints.every((one) => acceptsValue(one, fallback ?? undefined));
}

/** True if each text that matches the segment fulfils the constraint. */
function fulfilsConstraint(segment: Segment | undefined, constraint: RouteConstraint, after: PreparedRoute): boolean {
  if (segment === undefined || segment.length > 1) return false;
  const part = segment[0]!;
  if (part.kind === 'literal') return acceptsValue(constraint, part.text);
  return after.constrained.some(
    ({ parameter, constraints }) => parameter === part && constraints.some((one) => sameConstraint(one, constraint)),
  );
}

const isCatchAll = (segment: Segment): boolean => segment[0]!.kind === 'parameter' && segment[0]!.catchAll;

/** True if the segment matches every text that the other matches. */
function coversSegment(segment: Segment, other: Segment): boolean {
  if (segment.length === 1 && segment[0]!.kind === 'parameter') return true;
  return segment.length === other.length && formOf(segment) === formOf(other);
}

const formOf = (segment: Segment): string =>
  segment.map((part) => (part.kind === 'literal' ? foldCase(part.text) : part.optional ? '\0?' : '\0')).join('\0\0');

/** Returns the numbers of segments that a path of the route can have. One segment stands for all of a catch-all. */
function segmentCounts({ requiredSegments, route }: PreparedRoute): readonly number[] {
  const most = route.template.segments.length;
  return Array.from({ length: most - requiredSegments + 1 }, (_, more) => requiredSegments + more);
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
 * True if a constraint accepts a value of a path, and so it is not too long (D37). An undefined value is absent. A
 * constraint of a plugin is not asked: it may count, or throw.
 */
const acceptsValue = (constraint: RouteConstraint, value: string | undefined): boolean =>
  isPure(constraint) && rejectionOf('', [constraint], value, 'match') === undefined;

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
  const lines = new Set<string>();
  for (const { template } of routes) {
    for (const [part, ...more] of template.segments) {
      const name = part?.kind === 'literal' && more.length === 0 ? /^:([A-Za-z_]\w*)$/.exec(part.text)?.[1] : undefined;
      if (name !== undefined)
        lines.add(`The route "${template.text}" matches the text ":${name}" itself; write "{${name}}" for a parameter`);
    }
  }
  return [...lines];
}
