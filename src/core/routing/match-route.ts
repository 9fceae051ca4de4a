/**
 * Decides whether a route matches a request, and reads its values (§4.3 rules 1–8; reference B).
 *
 * The index proposes the routes whose method, literals and number of segments fit. `matchRoute` decides the rest for
 * each of them, in their order: the form of segments with several parts, then the constraints. So `api/todo/{id:int}`
 * is proposed for `GET /api/todo/x7`, and rejected here.
 */
import type { Context } from '../message/context.ts';
import { foldCase } from '../message/text.ts';
import { Rejection, rejectionOf } from './constraints/constraint.ts';
import { defaultOf, type PreparedRoute } from './prepared-route.ts';
import type { RouteValues } from './route.ts';
import type { Segment } from './template.ts';

/** A request path: as it was sent, and its decoded segments without the empty one behind a final slash (D21). */
export type SentPath = Pick<Context, 'path' | 'segments'>;

/**
 * Reads the values of a route that the index proposes, and checks its constraints (reference B.3–B.5). The route takes
 * `count` segments.
 */
export function matchRoute(prepared: PreparedRoute, sent: SentPath, count: number): RouteValues | Rejection {
  const { defaults, constrained, route } = prepared;
  // It inherits nothing: a parameter may be named `constructor` (D34).
  const values: Record<string, string> = Object.create(null);
  const { segments } = route.template;
  for (let depth = 0; depth < Math.min(count, segments.length); depth++) {
    const segment = segments[depth]!;
    const part = segment[0]!;
    const text = sent.segments[depth]!;
    if (segment.length > 1) {
      if (!matchSegment(segment, text, values)) return misshapen(depth, text);
    } else if (part.kind === 'parameter') values[part.name] = part.catchAll ? restOf(sent, depth) : text;
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

/** Everything from a segment to the end of the path, with a final slash. */
const restOf = ({ path, segments }: SentPath, depth: number): string =>
  segments.slice(depth).join('/') + (path.endsWith('/') ? '/' : '');

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
