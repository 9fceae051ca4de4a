/**
 * Templates that are in order and probably mean something else: `api/:id`, which other frameworks take for a parameter.
 *
 * Here it is a literal, as in the described system, and a request for `/api/42` falls through without a word.
 */
import type { Route } from './route/route.ts';

/** A line for each such segment of each template, once, with the remedy. */
export function doubtfulTemplates(routes: Iterable<Route>): readonly string[] {
  const lines = new Set<string>();
  for (const {
    template: { text, segments },
  } of routes) {
    for (const [part, ...more] of segments) {
      const name = part?.kind === 'literal' && more.length === 0 ? /^:([A-Za-z_]\w*)$/.exec(part.text)?.[1] : undefined;
      if (name !== undefined)
        lines.add(`The route "${text}" matches the text ":${name}" itself; write "{${name}}" for a parameter`);
    }
  }
  return [...lines];
}
