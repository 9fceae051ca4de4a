/**
 * Makes the operationId of an operation: `DELETE api/todo/{id}` is `ApiTodoByIdDelete` (§2.2). It names the route too.
 *
 * Generated clients make a method of it, so it has only the characters `[A-Za-z0-9_]`: `api/my-things` gives
 * `ApiMyThingsGet` (D15).
 */
import type { RouteTemplate, Segment } from '../../core/routing/template.ts';
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

/** A path without the names of its parameters: `/items/{}`. Paths of one shape are the same path in a description. */
export const pathShape = (segments: readonly Segment[]): string =>
  `/${segments.map((segment) => segment.map(partShape).join('')).join('/')}`;

const partShape = (part: Segment[number]): string =>
  part.kind === 'parameter' ? '{}' : part.text.replace(/[{}]/g, '$&$&');

/** A route as a description sees it. `template` is the text that names it in a message. */
interface DescribedRoute {
  readonly method: string;
  readonly template: string;
  readonly segments: readonly Segment[];
  readonly id: string;
}

/**
 * Adds a route to `seen`. Throws an `Error` that names both routes if one there has the same operationId, or the same
 * method and the same path: a description has only one operation for them (D14, D15).
 */
export function refuseDuplicate({ method, template, segments, id }: DescribedRoute, seen: Map<string, string>): void {
  const name = `${method} ${template}`;
  const place = `${method} ${pathShape(segments)}`;
  for (const [key, fault] of [
    [place, `are "${place}" in a description; change a path, or answer both in one operation`],
    [id, `have the operationId "${id}"; give one of them an id of its own, { id: '…' }`],
  ] as const) {
    const earlier = seen.get(key);
    if (earlier !== undefined) throw new Error(`Cannot describe "${earlier}" and "${name}": both ${fault}`);
    seen.set(key, name);
  }
}

const wordsIn = (text: string): string[] => text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');
