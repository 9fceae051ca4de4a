/**
 * Decides whether a route matches a request, and reads its values (§4.3 rules 1–8; reference B).
 *
 * The index proposes the routes whose method, literals and number of segments fit. `matchRoute` decides the rest for
 * each of them, in their order: the form of segments with several parts, then the constraints. So `api/todo/{id:int}`
 * is proposed for `GET /api/todo/x7`, and rejected here.
 */

import { foldCase } from '../message/text.ts';
import { Rejection, rejectionOf } from './constraints/constraint.ts';
import { defaultOf, type PreparedRoute } from './prepared-route.ts';
import type { RouteValues } from './route.ts';
import type { Segment } from './template.ts';

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
  readonly #isEscaped: boolean;

  constructor(text: string) {
    this.text = text;
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

  #startOf(depth: number): number {
    let start = this.start;
    for (let passed = 0; passed < depth; passed++) start = this.endOf(start) + 1;
    return start;
  }

  /** All segments. Throws a `URIError` for a malformed escape. */
  split(): readonly string[] {
    const segments: string[] = [];
    for (let at = this.start, end: number; at < this.text.length; at = end + 1)
      segments.push(this.between(at, (end = this.endOf(at))));
    return segments;
  }
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
 * `count` segments.
 */
export function matchRoute(prepared: PreparedRoute, path: RoutePath, count: number): RouteValues | Rejection {
  const { defaults, constrained, route } = prepared;
  const { segments, parameters } = route.template;
  const values = new Values();
  let complex = -1; // the depth of the last segment of several parts
  // `for … of` takes 2 % more of a match.
  for (let index = 0; index < parameters.length; index++) {
    const { name, depth, catchAll } = parameters[index]!;
    if (depth >= count) break;
    if (depth === complex) continue;
    if (segments[depth]!.length > 1) {
      complex = depth;
      if (!matchSegment(segments[depth]!, path.segment(depth), values)) return misshapen(depth, path.segment(depth));
    } else values[name] = catchAll ? path.rest(depth) : path.segment(depth);
  }
  for (const { name, value } of defaults) values[name] ??= value ?? '';
  for (const { name, key, constraints, parameter } of constrained) {
    if (parameter?.optional && values[name] === undefined) continue; // B.5.3
    // A default of null is empty for the handler, and absent here.
    const value = values[name] || (defaultOf(defaults, key)?.value ?? undefined);
    const rejection = rejectionOf(name, constraints, value, 'match');
    if (rejection !== undefined) return rejection;
  }
  return values;
}

const misshapen = (depth: number, text: string): Rejection =>
  new Rejection(() => `segment ${depth + 1} has not the form of the template: ${JSON.stringify(text)}`);

/**
 * Matches a segment of several parts, such as `{filename}.{ext?}`, with one segment of a path (reference B.4). Adds the
 * values, the rightmost first. Returns false, and adds none, if the text does not match.
 */
function matchSegment(segment: Segment, text: string, values: Record<string, string>): boolean {
  const last = segment.at(-1)!;
  let found = matchParts(segment, text);
  if (found === undefined && last.kind === 'parameter' && last.optional && segment.length > 2)
    // The period may be present although the optional value is absent (§4.3 rule 2, D24).
    found = matchParts(segment.slice(0, -2), text.endsWith('.') ? text.slice(0, -1) : text);
  for (const [name, value] of found ?? []) values[name] = value;
  return found !== undefined;
}

/**
 * Reads the values of parts from right to left, each literal at its last possible position, without backtracking:
 * `{a}-{b}` reads `x-y-z` as `x-y` and `z`. So the time is linear in the length of the text.
 */
function matchParts(parts: Segment, text: string): readonly (readonly [name: string, value: string])[] | undefined {
  const found: [string, string][] = [];
  const folded = foldCase(text);
  let end = text.length;
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]!;
    if (part.kind === 'literal') {
      if (!folded.endsWith(foldCase(part.text))) return undefined;
      end -= part.text.length;
      continue;
    }
    // A value begins behind the literal before it, and has at least one character.
    const before = parts[--index];
    const literal = before?.kind === 'literal' ? foldCase(before.text) : '';
    const start = before === undefined ? 0 : folded.lastIndexOf(literal, end - 1 - literal.length);
    const value = text.slice(start + literal.length, end);
    if (start < 0 || value === '') return undefined;
    found.push([part.name, value]);
    end = start;
  }
  return end === 0 ? found : undefined;
}
