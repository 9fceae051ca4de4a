/**
 * Decides whether one route matches a request: returns its values, or why not (§4.3 rules 1–8; reference B).
 *
 * The order is: method, structure, values, constraints. `api/todo/{id:int}` rejects `GET /api/todo/x7` in the last
 * step. A prepared route lists its `captures`, the parameters with their segments, and its `constrained` values. For a
 * request the index decides method and structure; `explain` uses `matchRoute`.
 */
import { HttpProblem } from '../../message/problem.ts';
import { excessOf } from '../constraints/constraint.ts';
import type { PreparedRoute } from '../route/prepared-route.ts';
import { foldCase } from '../text/fold-case.ts';
import { matchSegment } from './match-segment.ts';
import type { RoutePath } from './route-path.ts';
import { type MatchResult, newValues, type Rejection } from './route-values.ts';

/** Matches one route. `method` is in upper case. */
export function matchRoute(route: PreparedRoute, method: string, path: RoutePath): MatchResult {
  const mismatch = mismatchOf(route, method, path);
  if (mismatch !== undefined) return { reason: mismatch };
  const rejection: Rejection = { reason: '' };
  const values = matchValues(route, path, path.split().length, rejection);
  return values ? { values } : rejection;
}

/** True if the route takes a request of this method (§4.3 rule 4). */
export const takesMethod = ({ methods }: PreparedRoute, method: string): boolean =>
  methods === undefined || methods[0] === method || (methods.length > 1 && methods.includes(method));

/** Compares method, literals and number of segments, and returns the first difference (reference B.2). */
export function mismatchOf(prepared: PreparedRoute, method: string, path: RoutePath): string | undefined {
  if (!takesMethod(prepared, method)) return `method is ${method}, route wants ${prepared.methods!.join(' or ')}`;
  const [{ segments }, sent] = [prepared.route.template, path.split()];
  for (const [depth, segment] of sent.entries()) {
    const parts = segments[depth];
    if (parts === undefined) return `nothing in the template matches ${quoted(segment)}`;
    if (segment === '') return `segment ${depth + 1} of the path is empty`;
    const part = parts[0]!;
    if (part.kind === 'parameter' && part.catchAll) return undefined;
    if (part.kind === 'parameter' || parts.length > 1 || foldCase(segment) === foldCase(part.text)) continue;
    return `segment ${depth + 1} is ${quoted(segment)}, route wants "${part.text}"`;
  }
  if (sent.length >= prepared.requiredSegments) return undefined;
  const missing = segments
    .slice(sent.length)
    .flat()
    .find((part) => part.kind === 'literal' || !part.optional);
  return `the path ends before ${missing?.kind === 'literal' ? `"${missing.text}"` : `{${missing?.name}}`}`;
}

/**
 * Reads the values of a route whose method and structure match, and checks its constraints (reference B.3–B.5). The
 * route consumes `count` segments. Returns undefined, with the reason in `rejection`, if the route does not match.
 * Throws an `HttpProblem` 414 for a value that is too long for its constraint, or puts it in `rejection` (D37).
 */
export function matchValues(prepared: PreparedRoute, path: RoutePath, count: number, rejection?: Rejection) {
  const values = newValues();
  for (const { name, depth, catchAll, parts } of prepared.captures) {
    if (depth >= count) break;
    if (parts === undefined) values[name] = catchAll ? path.rest(depth) : path.segment(depth);
    else if (!matchSegment(parts, path.segment(depth), values)) {
      if (rejection)
        rejection.reason = `segment ${depth + 1} has not the form of the template: ${quoted(path.segment(depth))}`;
      return undefined;
    }
  }
  if (prepared.plain) return values;
  const nulls = addDefaults(prepared, values);
  for (const { name, constraints, parameter } of prepared.constrained) {
    if (parameter?.optional && values[name] === undefined) continue; // B.5.3
    const value = nulls?.has(name) ? undefined : values[name];
    for (const constraint of constraints) {
      const excess = excessOf(constraint, name, value, path.spending);
      if (excess !== undefined) return rejectAsTooLong(excess, rejection);
      if (constraint.accepts(value, 'match')) continue;
      if (rejection) rejection.reason = `{${name}:${constraint.text}} rejects ${quoted(value)}`;
      return undefined;
    }
  }
  return values;
}

/** Adds missing defaults. Returns the names whose default is null: their value is empty, and absent for constraints. */
function addDefaults({ defaults, catchAll }: PreparedRoute, values: Record<string, string>): Set<string> | undefined {
  let nulls: Set<string> | undefined;
  for (const { name, value } of defaults.values()) {
    if (values[name] !== undefined) continue;
    values[name] = value ?? '';
    if (value === null && name !== catchAll) (nulls ??= new Set()).add(name);
  }
  if (catchAll !== undefined) values[catchAll] ??= ''; // D26
  return nulls;
}

function rejectAsTooLong(reason: string, rejection: Rejection | undefined): undefined {
  const problem = new HttpProblem(414, reason);
  if (rejection === undefined) throw problem;
  rejection.reason = reason;
  rejection.problem = problem;
}

const quoted = (text: string | undefined): string => (text === undefined ? 'a missing value' : JSON.stringify(text));
