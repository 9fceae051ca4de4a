/**
 * Makes the operationId of an operation: `DELETE api/todo/{id}` is `ApiTodoByIdDelete` (§2.2). It names the route too.
 *
 * Generated clients make a method of it, so it has only the characters `[A-Za-z0-9_]`: `api/my-things` gives
 * `ApiMyThingsGet` (D15).
 */
import type { RouteTemplate, Segment } from '../../routing/template.ts';
import { wireName } from '../schema/names.ts';

/** The operationId of a method on the path that these segments of a template are. */
export function operationId(method: string, segments: readonly Segment[]): string {
  const words = segments
    .flat()
    .flatMap((part) => (part.kind === 'parameter' ? ['By', ...wordsIn(part.name)] : wordsIn(part.text)));
  return [...words, method.toLowerCase()].map((word) => wireName(word, 'PascalCase')).join('');
}

/** The name of its route and the operationId. Mounted twice, an operation with an id of its own has two names. */
export function namesOf(
  { id: own, method }: { readonly id?: string | undefined; readonly method: string },
  [scope = '']: readonly string[] = [],
  { segments }: RouteTemplate,
): { readonly name: string; readonly id: string } {
  const name = own === undefined ? operationId(method, segments) : scope + own;
  return { name, id: own === undefined ? name : name.replace(/[^\w.-]+/g, '.') };
}

/** Has only characters of which generated clients make names. */
export const isOperationId = (id: unknown): boolean => typeof id === 'string' && /^[\w.-]+$/.test(id);

/**
 * Throws an `Error` that names both routes for an operationId that two have. `routes` are pairs of an id and a
 * route in words; `seen` are those that are known already, to which they are added.
 */
export function refuseDuplicates(
  routes: Iterable<readonly [id: string, route: string]>,
  seen: Map<string, string> = new Map(),
): void {
  for (const [id, route] of routes) {
    const earlier = seen.get(id);
    if (earlier !== undefined) {
      throw new Error(
        `Cannot describe "${earlier}" and "${route}": both have the operationId "${id}"; ` +
          "give one of them an id of its own, { id: '…' }",
      );
    }
    seen.set(id, route);
  }
}

const wordsIn = (text: string): string[] => text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');
