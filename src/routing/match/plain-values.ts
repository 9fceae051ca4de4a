/** Reads the values of a plain route. A short function of its own, which V8 inlines: most routes are plain. */
import type { Capture } from '../route/prepared-route.ts';
import type { RouteValues } from '../route/route.ts';
import type { RoutePath } from './route-path.ts';
import { newValues } from './route-values.ts';

/** Returns what `matchValues` returns for the captures of a plain route. Throws a `URIError` for a malformed escape. */
export function plainValues(captures: readonly Capture[], path: RoutePath): RouteValues {
  const values = newValues();
  for (let index = 0; index < captures.length; index++) {
    const { name, depth } = captures[index]!;
    values[name] = path.segment(depth);
  }
  return values;
}
