/**
 * The name of an operation: `DELETE api/todo/{id}` is `ApiTodoByIdDelete` (§2.2, A.6 of the description's reference).
 *
 * Generated clients make a method of it, so it holds only `[A-Za-z0-9_]`: where the original's rule gives `ApiMy-thingsGet`
 * and `ApiXPer-{periodGet`, ours gives `ApiMyThingsGet` and `ApiXPerByPeriodGet` (D15). It is also the route's name.
 */
import type { Segment } from '../../routing/template/template.ts';

/** The operationId of a method on the path that these segments of a template are. */
export function operationId(method: string, segments: readonly Segment[]): string {
  const words = segments
    .flat()
    .flatMap((part) => (part.kind === 'parameter' ? ['By', ...wordsIn(part.name)] : wordsIn(part.text)));
  return [...words, method.toLowerCase()].map(capitalised).join('');
}

/** Refuses, with an Error that names both routes, an operationId that is made twice. Takes pairs of an id and its route in words. */
export function refuseDuplicates(routes: Iterable<readonly [id: string, route: string]>): void {
  const seen = new Map<string, string>();
  for (const [id, route] of routes) {
    const earlier = seen.get(id);
    if (earlier !== undefined) {
      throw new Error(
        `Cannot describe "${earlier}" and "${route}": both make the operationId "${id}"; change the path of one`,
      );
    }
    seen.set(id, route);
  }
}

const wordsIn = (text: string): string[] => text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
