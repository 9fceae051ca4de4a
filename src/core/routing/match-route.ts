/**
 * Decides whether a route matches a request, and reads its values (§4.3 rules 1–8; rule B).
 *
 * The index proposes the routes whose method, literals and number of segments match. `matchRoute` checks each proposed
 * route in order: first its segments with several parts, then its constraints. So for `GET /api/todo/x7`, the index
 * proposes `api/todo/{id:int}`, and `matchRoute` rejects this route.
 */
import type { SentPath } from '../http/path.ts';
import { rejectionOf } from './constraints/constraint.ts';
import { matchSegment } from './match-segment.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { RouteValues } from './route.ts';

type MatchResult = { readonly values: RouteValues } | { readonly reason: string };

/** Reads the values of a proposed route, and checks its constraints (rule B.3–B.5). */
export function matchRoute({ defaults, constrained, route }: PreparedRoute, sent: SentPath): MatchResult {
  // The object has no prototype, because a parameter may be named `constructor` (D34).
  const values: Record<string, string> = Object.create(null);
  const { segments } = route.template;
  for (let depth = 0; depth < Math.min(sent.segments.length, segments.length); depth++) {
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
    const value = values[name] || (defaults.get(key)?.value ?? undefined);
    const reason = rejectionOf(name, constraints, value, 'match');
    if (reason !== undefined) return { reason };
  }
  return { values };
}

/** Returns the rest of the path from the segment at `depth` on, with its trailing slash. */
const restOf = ({ path, segments }: SentPath, depth: number): string =>
  segments.slice(depth).join('/') + (path.endsWith('/') ? '/' : '');
