/**
 * Finds templates that are valid but probably not meant: `api/:id`, where `:id` is a parameter in other frameworks.
 *
 * Here `:id` is a literal (D65), so a request for `/api/42` silently falls through.
 */
import type { Route } from './route/route.ts';

/** Returns one line with the remedy for each such segment, without repetitions. */
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
