/**
 * Decides whether a route matches a request, and reads its values (§4.3 rules 1–8; reference B).
 *
 * The index proposes the routes whose method, literals and number of segments fit. `matchRoute` decides the rest for
 * each of them, in their order: the form of segments with several parts, then the constraints. So `api/todo/{id:int}`
 * is proposed for `GET /api/todo/x7`, and rejected here.
 */
import type { SentPath } from '../message/path.ts';
import { rejectionOf } from './constraints/constraint.ts';
import { matchSegment } from './match-segment.ts';
import type { PreparedRoute } from './prepared-route.ts';
import type { RouteValues } from './route.ts';

/** The values, or why the route does not match. */
type MatchResult = { readonly values: RouteValues } | { readonly reason: string };

/** Reads the values of a route that the index proposes, and checks its constraints (reference B.3–B.5). */
export function matchRoute({ defaults, constrained, route }: PreparedRoute, sent: SentPath): MatchResult {
  // It inherits nothing: a parameter may be named `constructor` (D34).
  const values: Record<string, string> = Object.create(null);
  const { segments } = route.template;
  for (let depth = 0; depth < Math.min(sent.segments.length, segments.length); depth++) {
    const segment = segments[depth]!;
    const part = segment[0]!;
    const text = sent.segments[depth]!;
    if (segment.length > 1) {
      if (!matchSegment(segment, text, values))
        return { reason: `segment ${depth + 1} has not the form of the template: ${JSON.stringify(text)}` };
    } else if (part.kind === 'parameter') values[part.name] = part.catchAll ? restOf(sent, depth) : text;
  }
  for (const { name, value } of defaults.values()) values[name] ??= value ?? '';
  for (const { name, key, constraints, parameter } of constrained) {
    if (parameter?.optional && values[name] === undefined) continue; // B.5.3
    // A default of null is empty for the handler, and absent here.
    const value = values[name] || (defaults.get(key)?.value ?? undefined);
    const reason = rejectionOf(name, constraints, value, 'match');
    if (reason !== undefined) return { reason };
  }
  return { values };
}

/** Everything from a segment to the end of the path, with a final slash. */
const restOf = ({ path, segments }: SentPath, depth: number): string =>
  segments.slice(depth).join('/') + (path.endsWith('/') ? '/' : '');
