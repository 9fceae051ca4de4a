/**
 * Decides whether a route matches a request, and reads its values (§4.3 rules 1–8; reference B).
 *
 * The index proposes the routes whose method, literals and number of segments fit. `matchRoute` decides the rest for
 * each of them, in their order: the form of segments with several parts, then the constraints. So `api/todo/{id:int}`
 * is proposed for `GET /api/todo/x7`, and rejected here.
 */
import { HttpProblem } from '../message/problem.ts';
import { excessOf } from './constraints/constraint.ts';
import type { Spending } from './constraints/expression-cost.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { RouteValues } from './route.ts';
import type { Segment } from './template.ts';
import { foldCase } from './text.ts';

/**
 * Reads the segments of a request path: the pieces between its slashes, decoded (D21, reference B.1).
 *
 * `/files/a//b/` has an empty segment in the middle. A slash at the end adds none; only a catch-all sees it. Nothing is
 * kept of a segment: a match reads each about twice, and a list of them would cost more than that.
 */
export class RoutePath {
  readonly text: string;
  /** Where the first segment begins. */
  readonly start: number;
  /** What the constraints of this request have cost (D37). */
  readonly spending: Spending;
  readonly #isEscaped: boolean;

  constructor(text: string, spending: Spending = { spentSteps: 0 }) {
    this.text = text;
    this.spending = spending;
    this.start = text.charCodeAt(0) === 47 ? 1 : 0;
    this.#isEscaped = text.includes('%');
  }

  /** Where the segment ends that begins at `start`. */
  endOf(start: number): number {
    const slash = this.text.indexOf('/', start);
    return slash < 0 ? this.text.length : slash;
  }

  /** The decoded text between two places. Throws a `URIError` for a malformed escape. */
  between(start: number, end: number): string {
    const text = this.text.slice(start, end);
    return this.#isEscaped ? decodeURIComponent(text) : text;
  }

  /** The segment at this depth. Throws a `URIError` for a malformed escape. */
  segment(depth: number): string {
    const start = this.#startOf(depth);
    return this.between(start, this.endOf(start));
  }

  /** Everything from a segment to the end of the path, decoded, with a final slash. */
  rest(depth: number): string {
    return this.between(this.#startOf(depth), this.text.length);
  }

  /** All segments. Throws a `URIError` for a malformed escape. */
  split(): readonly string[] {
    const segments: string[] = [];
    for (let at = this.start, end: number; at < this.text.length; at = end + 1)
      segments.push(this.between(at, (end = this.endOf(at))));
    return segments;
  }

  #startOf(depth: number): number {
    let start = this.start;
    for (let passed = 0; passed < depth; passed++) start = this.endOf(start) + 1;
    return start;
  }
}

/** Why a route does not match. A `status` answers the request: no later route is tried. */
export interface Rejection {
  reason: string;
  status?: number;
}

/**
 * Holds the values of one match. It inherits nothing: a parameter may be named `constructor` (D34). An object that
 * `Object.create(null)` makes is a hash table, and a match takes nearly twice as long with it.
 */
class Values {
  [name: string]: string;
}
Object.setPrototypeOf(Values.prototype, null);
delete (Values.prototype as { constructor?: unknown }).constructor;
Object.freeze(Values.prototype);

/**
 * Reads the values of a route that the index proposes, and checks its constraints (reference B.3–B.5). The route takes
 * `count` segments. Returns undefined if the route does not match, and throws an `HttpProblem` 414 for a value that is
 * too long for its constraint (D37). The reason of both is put into `rejection`.
 */
export function matchRoute(
  prepared: PreparedRoute,
  path: RoutePath,
  count: number,
  rejection?: Rejection,
): RouteValues | undefined {
  const values = new Values();
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
      if (excess !== undefined) {
        if (rejection) Object.assign(rejection, { reason: excess, status: 414 });
        throw new HttpProblem(414, excess);
      }
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

const quoted = (text: string | undefined): string => (text === undefined ? 'a missing value' : JSON.stringify(text));

/**
 * Matches a segment of several parts, such as `{filename}.{ext?}`, with one segment of a path (reference B.4). Adds the
 * values, the rightmost first. Returns false, and adds none, if the text does not match.
 *
 * Parts match from right to left, each literal at its last possible position, without backtracking: `{a}-{b}` reads
 * `x-y-z` as `x-y` and `z`. So the time is linear in the length of the text.
 */
function matchSegment(segment: Segment, text: string, values: Record<string, string>): boolean {
  const folded = foldCase(text);
  const last = segment.at(-1)!;
  const countBeforePeriod = segment.length - 2;
  let found = matchParts(segment, segment.length, text, folded);
  if (found === undefined && last.kind === 'parameter' && last.optional && countBeforePeriod > 0) {
    // The period may be present although the optional value is absent (§4.3 rule 2, D24).
    const end = text.endsWith('.') ? text.length - 1 : text.length;
    found = matchParts(segment, countBeforePeriod, text.slice(0, end), folded.slice(0, end));
  }
  if (found === undefined) return false;
  for (const [name, value] of found) values[name] = value;
  return true;
}

type Found = [name: string, value: string][];

/** Matches the first `count` parts of a segment. */
function matchParts(segment: Segment, count: number, text: string, folded: string): Found | undefined {
  const found: Found = [];
  let end = text.length;
  let pending: string | undefined; // the name of the value that ends at `end`
  for (let index = count - 1; index >= 0; index--) {
    const part = segment[index]!;
    if (part.kind === 'parameter') {
      pending = part.name;
      continue;
    }
    const { length } = part.text;
    const latest = end - length - (pending === undefined ? 0 : 1); // a value has at least one character
    const start = latest < 0 ? -1 : folded.lastIndexOf(foldCase(part.text), latest);
    if (start < 0 || (index === segment.length - 1 && start + length !== text.length)) return undefined;
    if (pending !== undefined) found.push([pending, text.slice(start + length, end)]);
    pending = undefined;
    end = start;
  }
  if (pending === undefined) return end === 0 ? found : undefined;
  if (end === 0) return undefined;
  found.push([pending, text.slice(0, end)]);
  return found;
}
