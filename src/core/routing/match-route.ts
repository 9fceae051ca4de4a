/**
 * Decides whether a route matches a request, and reads its values (§4.3 rules 1–8; rule B).
 *
 * `fits` compares the literals and the number of segments. `matchRoute` reads the values, and then checks the
 * constraints. So for `GET /api/todo/x7`, the route `api/todo/{id:int}` fits, but its constraint rejects `x7`.
 */
import type { SentPath } from '../http/path.ts';
import { foldCase } from '../http/text.ts';
import { rejectionOf } from './constraints/constraint.ts';
import { matchSegment } from './match-segment.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { RouteMatch } from './route.ts';

/** True if the route takes the method, which is in upper case (§4.3 rule 4). */
export const takesMethod = ({ methods }: PreparedRoute, method: string): boolean =>
  methods === undefined || methods.includes(method);

/** True if the route takes paths with these segments (rule B.2). */
export function fits(prepared: PreparedRoute, sent: readonly string[]): boolean {
  const { literals, requiredSegments, maxSegments } = prepared;
  if (sent.length < requiredSegments || sent.length > maxSegments) return false;
  for (let depth = 0; depth < literals.length && depth < sent.length; depth++) {
    const text = sent[depth]!;
    const key = literals[depth]?.key;
    // No route matches an empty segment, except in the rest that a catch-all takes (rule B.1.3).
    if (text === '' || (key !== undefined && key !== text && key !== foldCase(text))) return false;
  }
  return true;
}

/** Reads the values of a route that fits, and checks its constraints (rule B.3–B.5). */
export function matchRoute(prepared: PreparedRoute, sent: SentPath): RouteMatch | { readonly reason: string } {
  const { defaults, constrained, route } = prepared;
  // The object has no prototype, because a parameter may be named `constructor` (D34).
  const values: Record<string, string> = Object.create(null);
  const { segments } = route.template;
  for (let depth = 0; depth < segments.length && depth < sent.segments.length; depth++) {
    const segment = segments[depth]!;
    const part = segment[0]!;
    const text = sent.segments[depth]!;
    if (segment.length > 1) {
      if (!matchSegment(segment, text, values))
        return { reason: `segment ${depth + 1} does not have the form of the template: ${JSON.stringify(text)}` };
    } else if (part.kind === 'parameter') values[part.name] = part.catchAll ? restOf(sent, depth) : text;
  }
  for (const { name, value } of defaults.values()) values[name] ??= value ?? '';
  for (const { name, key, constraints, parameter } of constrained) {
    if (parameter?.optional && values[name] === undefined) continue; // B.5.3
    // If the default is null, the handler gets an empty text, but constraints get a missing value.
    const byDefault = defaults.get(key)?.value ?? undefined;
    const reason = rejectionOf(name, constraints, values[name] || byDefault, 'match');
    if (reason !== undefined) return { reason };
  }
  return { route, values };
}

/** Returns the rest of the path from the segment at `depth` on, with its trailing slash. */
function restOf({ path, segments }: SentPath, depth: number): string {
  let rest = segments[depth]!;
  for (let next = depth + 1; next < segments.length; next++) rest += `/${segments[next]}`;
  return path.endsWith('/') ? `${rest}/` : rest;
}
