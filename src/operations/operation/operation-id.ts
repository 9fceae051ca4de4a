/**
 * Creates the operationId, which is also the name of the route: `ApiTodoByIdDelete` for `DELETE api/todo/{id}` (§2.2).
 *
 * Generated clients use the operationId as the name of a method, so it has only the characters `[A-Za-z0-9_]`: `GET
 * api/my-things` gives `ApiMyThingsGet` (D15). It begins with a letter: `GET 2fa` gives `Path2faGet` (D129).
 */
import type { RouteTemplate, Segment } from '../../core/routing/template.ts';
import { CLIENT_NAME, nameInClient, wireName } from '../schema/names.ts';

/** Returns the operationId for a method and the segments of a template. */
export function operationId(method: string, segments: readonly Segment[]): string {
  const words = segments
    .flat()
    .flatMap((part) => (part.kind === 'parameter' ? ['By', ...wordsIn(part.name)] : wordsIn(part.text)));
  return startingWithLetter([...words, method.toLowerCase()].map((word) => wireName(word, 'PascalCase')).join(''));
}

/**
 * Returns the route's name and the operationId. If a mounted operation has a custom id, the name has the prefix too.
 */
export function namesOf(
  { id: own, method }: { readonly id?: string | undefined; readonly method: string },
  { segments }: RouteTemplate,
  scope = '',
): { readonly name: string; readonly id: string } {
  const name = own === undefined ? operationId(method, segments) : scope + own;
  return { name, id: own === undefined ? name : startingWithLetter(name.replace(/[^\w.-]+/g, '.')) };
}

const startingWithLetter = (id: string): string => (CLIENT_NAME.test(id) ? id : `Path${id}`);

/**
 * Returns a path without parameter names: `/items/{}`. A description treats paths with equal shapes as the same path.
 */
export const pathShape = (segments: readonly Segment[]): string =>
  `/${segments.map((segment) => segment.map(partShape).join('')).join('/')}`;

const partShape = (part: Segment[number]): string =>
  part.kind === 'parameter' ? '{}' : part.text.replace(/[{}]/g, '$&$&');

/**
 * Adds a route to `routes`. Throws an `Error` if another route has the same method and path, because a description can
 * have only one operation for each (D14), or the same operationId in a generated client (D15, D129).
 */
export function refuseDuplicate(
  method: string,
  { text, segments }: Pick<RouteTemplate, 'text' | 'segments'>,
  id: string,
  routes: Map<string, string>,
): void {
  const name = `${method} ${text}`;
  const place = `${method} ${pathShape(segments)}`;
  for (const [key, fault] of [
    [place, `are "${place}" in a description; change a path, or answer both in one operation`],
    [
      nameInClient(id),
      `have the operationId "${id}" in a generated client, which ignores case, ".", "_" and "-"; ` +
        "give one of them an id of its own, { id: '…' }",
    ],
  ] as const) {
    const earlier = routes.get(key);
    if (earlier !== undefined) throw new Error(`Cannot describe "${earlier}" and "${name}": both ${fault}`);
    routes.set(key, name);
  }
}

const wordsIn = (text: string): string[] => text.split(/[^A-Za-z0-9_]+/).filter((word) => word !== '');
