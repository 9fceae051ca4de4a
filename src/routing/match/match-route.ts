/**
 * The judge: one route against one method and path – its values, or the reason why not (§4.3 rules 1–8; reference B).
 *
 * In order: method, segments, values, constraints. `GET /api/todo/x7` is refused by `api/todo/{id:int}` only at the very end, and with a
 * reason that names the parameter, the constraint and the value.
 */
import { HttpProblem } from '../../http/message/problem.ts';
import { excessOf } from '../constraints/constraint.ts';
import type { Capture, PreparedRoute } from '../route/prepare-route.ts';
import type { RouteValues } from '../route/route.ts';
import { foldCase } from '../text/fold-case.ts';
import { matchSegment } from './match-segment.ts';
import type { RoutePath } from './route-path.ts';
import { newValues } from './route-values.ts';

/** What a route says of a request: its values, or a reason; with a problem where no later route is asked, because that answers. */
export type Verdict = { readonly values: RouteValues } | { readonly reason: string; readonly problem?: HttpProblem };

/** Judges one route from the method on. `method` is in upper case, all `count` segments of the path are cut. */
export function matchRoute(prepared: PreparedRoute, method: string, path: RoutePath, count: number): Verdict {
  if (!takesMethod(prepared, method))
    return { reason: `method is ${method}, route wants ${prepared.methods!.join(' or ')}` };
  const misfit = misfitOf(prepared, path, count);
  if (misfit !== undefined) return { reason: misfit };
  const refusal: Refusal = { reason: '' };
  const values = valuesOf(prepared, path, count, refusal);
  return values === undefined ? refusal : { values };
}

/** Is the route for this method (§4.3 rule 4)? */
export const takesMethod = ({ method, methods }: PreparedRoute, asked: string): boolean =>
  method === asked || methods === undefined || (method === undefined && methods.includes(asked));

/** First pass: have literals and segments their places? The reason why not, or undefined (reference B.2). */
function misfitOf({ route, required }: PreparedRoute, path: RoutePath, count: number): string | undefined {
  const { segments } = route.template;
  for (let depth = 0; depth < count; depth++) {
    const segment = segments[depth];
    if (segment === undefined) return `nothing in the template matches ${JSON.stringify(path.segment(depth))}`;
    if (path.isEmpty(depth)) return `segment ${depth + 1} of the path is empty`;
    const [part] = segment;
    if (segment.length > 1) continue;
    if (part!.kind === 'parameter') {
      if (part!.catchAll) return undefined;
      continue;
    }
    if (path.folded(depth) !== foldCase(part!.text))
      return `segment ${depth + 1} is ${JSON.stringify(path.segment(depth))}, route wants "${part!.text}"`;
  }
  if (count >= required) return undefined;
  const part = segments
    .slice(count)
    .flat()
    .find((one) => one.kind === 'literal' || !one.optional);
  return `the path ends before ${part?.kind === 'literal' ? `"${part.text}"` : `{${part?.name}}`}`;
}

/** Takes the reason of a refusal. */
export interface Refusal {
  reason: string;
  problem?: HttpProblem;
}

/**
 * Second pass, for a route whose literals and segments fit: its values, or undefined (reference B.3–B.5). `count` is the number of
 * segments that the path has, or that the route looks at if a catch-all takes the rest. A value that is too long for its constraint
 * throws an `HttpProblem` 414 (D37), unless there is a `refusal` to take it.
 */
export const valuesOf = (
  prepared: PreparedRoute,
  path: RoutePath,
  count: number,
  refusal?: Refusal,
): RouteValues | undefined =>
  prepared.plain ? segmentsOf(prepared.captures, path) : constrainedValuesOf(prepared, path, count, refusal);

// Apart, because it is short enough to be compiled into its caller, and most routes need no more.
function segmentsOf(captures: readonly Capture[], path: RoutePath): RouteValues {
  const values = newValues();
  for (let index = 0; index < captures.length; index++) {
    const { name, depth } = captures[index]!;
    values[name] = path.segment(depth);
  }
  return values;
}

function constrainedValuesOf(
  prepared: PreparedRoute,
  path: RoutePath,
  count: number,
  refusal?: Refusal,
): RouteValues | undefined {
  const { captures } = prepared;
  const values = newValues();
  for (const { name, depth, rest, parts } of captures) {
    if (depth >= count) break;
    if (parts !== undefined) {
      if (matchSegment(parts, path.segment(depth), values)) continue;
      if (refusal)
        refusal.reason = `segment ${depth + 1} has not the form of the template: ${JSON.stringify(path.segment(depth))}`;
      return undefined;
    }
    values[name] = rest ? path.rest(depth) : path.segment(depth);
  }
  // A default of null is a value for the handler, the empty text, and none for constraints. The rest of a path that ends before
  // its catch-all is the empty text for both (D26).
  let empty: Set<string> | undefined;
  for (const { name, value } of prepared.defaults.values()) {
    if (values[name] !== undefined) continue;
    values[name] = value ?? '';
    if (value === null && name !== prepared.rest) (empty ??= new Set()).add(name);
  }
  if (prepared.rest !== undefined) values[prepared.rest] ??= '';
  for (const { name, constraints, parameter } of prepared.constrained) {
    const absent = empty?.has(name) ?? false;
    const value = absent ? undefined : values[name];
    if (parameter?.optional && value === undefined && !absent) continue; // B.5.3
    for (const constraint of constraints) {
      const excess = constraint.bound === undefined ? undefined : excessOf(constraint, name, value);
      if (excess !== undefined) return tooLong(excess, refusal);
      if (constraint.accepts(value, 'match')) continue;
      if (refusal)
        refusal.reason = `{${name}:${constraint.text}} rejects ${value === undefined ? 'a missing value' : JSON.stringify(value)}`;
      return undefined;
    }
  }
  return values;
}

function tooLong(excess: string, refusal: Refusal | undefined): undefined {
  const problem = new HttpProblem(414, excess);
  if (refusal === undefined) throw problem;
  refusal.reason = excess;
  refusal.problem = problem;
}
