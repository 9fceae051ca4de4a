/**
 * The address of a file that is shipped with the program, such as `package.json`; `path` is relative to its root.
 * Throws an `Error` in a program that is bundled around this library without telling it where it stands.
 *
 * This module stands two folders below the root, in the sources, in the library and, as the build declares it, in the
 * program.
 */
export function packageFile(path: string): URL {
  const url = import.meta.url as string | undefined;
  if (url !== undefined) return new URL(`../../${path}`, url);
  const remedy = 'for the page, give swaggerPage({ vendored: page }), with { page } from "todo-item-service/page"';
  throw new Error(`Cannot find "${path}" of todo-item-service: the program is bundled without it; ${remedy}`);
}
