/**
 * Routes that no request can reach, because earlier ones take every path that fits them.
 *
 * Behind `{*rest}` nothing is ever asked; behind `api/{id}` neither is `api/{key:int}`, but `api/{id:int}` leaves much for
 * `api/{name}`. Only what is certain is reported: a route whose constraints this one does not repeat word for word may refuse,
 * and hides nothing.
 */

import type { RouteConstraint } from './constraints/constraint.ts';
import { excessOf } from './constraints/constraint.ts';
import { Proposals } from './index/candidates.ts';
import type { RouteIndex } from './index/route-index.ts';
import { RoutePath } from './match/route-path.ts';
import { Cuts } from './match/segment-bounds.ts';
import type { PreparedRoute } from './route/prepare-route.ts';
import type { Route } from './route/route.ts';
import type { Parameter, Segment } from './template/template.ts';
import { foldCase } from './text/fold-case.ts';

/** A route that cannot be reached. */
export interface ShadowedRoute {
  readonly route: Route;
  /** The first of the routes that take its requests. */
  readonly by: Route;
  /** A request that fits the route and goes to the other. */
  readonly method: string;
  readonly path: string;
}

/** All routes that cannot be reached, in order. */
export function shadowedRoutes(routes: readonly PreparedRoute[], index: RouteIndex): readonly ShadowedRoute[] {
  const shadowed: ShadowedRoute[] = [];
  for (const prepared of routes) {
    const by = coverOf(prepared, index);
    if (by === undefined) continue;
    const path = examplePath(prepared, lengthsOf(prepared).at(-1)!);
    shadowed.push({ route: prepared.route, by: by.route, method: prepared.methods?.[0] ?? 'GET', path });
  }
  return shadowed;
}

/** The first route that takes all that this one could, or the first of several that do so together. */
function coverOf(prepared: PreparedRoute, index: RouteIndex): PreparedRoute | undefined {
  let first: PreparedRoute | undefined;
  for (const count of lengthsOf(prepared)) {
    const path = new RoutePath(examplePath(prepared, count), new Cuts()),
      proposals = new Proposals(),
      before: PreparedRoute[] = [];
    index.propose(path, proposals);
    for (let one = proposals.first(); one !== undefined && one.position < prepared.position; one = proposals.next())
      before.push(one);
    for (const method of prepared.methods ?? [undefined]) {
      const cover = before.find((one) => covers(one, prepared, method, count));
      if (cover === undefined) return undefined;
      first ??= cover;
    }
  }
  return first;
}

/** Does `before` take every request for this method (undefined: any) with this many segments that `after` takes? */
function covers(before: PreparedRoute, after: PreparedRoute, method: string | undefined, count: number): boolean {
  if (before.methods !== undefined && (method === undefined || !before.methods.includes(method))) return false;
  const own = before.route.template.segments,
    others = after.route.template.segments;
  const all = before.rest === undefined ? own.length : Infinity;
  if (count < before.required || count > all) return false;
  for (let depth = 0; depth < count; depth++) {
    const segment = own[depth]!,
      other = others[depth];
    if (isCatchAll(segment)) break;
    if (other === undefined || isCatchAll(other) || !coversSegment(segment, other)) return false;
  }
  return before.constrained.every((constrained) =>
    constrained.constraints.every((constraint) => {
      const { parameter } = constrained;
      const depth =
        parameter === undefined ? -1 : own.findIndex((segment) => segment.length === 1 && segment[0] === parameter);
      if (parameter !== undefined && depth < 0) return false; // in a segment of several parts
      if (depth >= 0 && depth < count && parameter!.catchAll && !isCatchAll(others[depth]!)) return false; // judges more than a segment
      if (depth >= 0 && depth < count)
        return acceptsSegment(constraint.text, (text) => acceptsWithin(constraint, text), others[depth], after);
      const fallback = before.defaults.get(constrained.key)?.value;
      if (fallback === undefined && parameter?.optional) return true;
      return acceptsWithin(constraint, fallback ?? (parameter?.catchAll ? '' : undefined));
    }),
  );
}

const acceptsWithin = (constraint: RouteConstraint, value: string | undefined): boolean =>
  excessOf(constraint, '', value) === undefined && constraint.accepts(value, 'match');

const isCatchAll = (segment: Segment): boolean => segment[0]!.kind === 'parameter' && segment[0]!.catchAll;

function coversSegment(segment: Segment, other: Segment): boolean {
  if (segment.length === 1 && segment[0]!.kind === 'parameter') return true;
  const form = (parts: Segment): string =>
    parts.map((part) => (part.kind === 'literal' ? foldCase(part.text) : part.optional ? '\0?' : '\0')).join('\0\0');
  return segment.length === other.length && form(segment) === form(other);
}

function acceptsSegment(
  text: string,
  accepts: (text: string) => boolean,
  other: Segment | undefined,
  after: PreparedRoute,
): boolean {
  if (other === undefined || other.length > 1) return false;
  const [part] = other;
  if (part!.kind === 'literal') return accepts(part!.text);
  return after.constrained.some(
    (constrained) => constrained.parameter === part && constrained.constraints.some((one) => one.text === text),
  );
}

const SAMPLES = [
  'x',
  '1',
  '42',
  'abc',
  'true',
  '2009-05-12',
  '1.5',
  '00000000-0000-0000-0000-000000000000',
  'abcdefgh',
  '12345678',
  'a',
  'list',
];

/** A path that fits the route, with this many segments, if the samples hold a value for each of its constraints. */
function examplePath(prepared: PreparedRoute, count: number): string {
  const { segments } = prepared.route.template;
  const valueOf = (parameter: Parameter): string => {
    const constrained = prepared.constrained.find((one) => one.parameter === parameter);
    return (
      [parameter.name, ...SAMPLES].find(
        (sample) => constrained?.constraints.every((constraint) => acceptsWithin(constraint, sample)) ?? true,
      ) ?? SAMPLES[0]!
    );
  };
  const path = segments
    .slice(0, count)
    .map((segment) =>
      segment.map((part) => encodeURIComponent(part.kind === 'literal' ? part.text : valueOf(part))).join(''),
    );
  return `/${path.join('/')}`;
}

/** How many segments the paths of a route can have; one that stands for all of a catch-all's is enough. */
function lengthsOf({ required, route }: PreparedRoute): readonly number[] {
  return Array.from({ length: route.template.segments.length - required + 1 }, (_, more) => required + more);
}
