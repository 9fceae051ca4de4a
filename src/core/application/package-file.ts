/** Finds the files that are shipped with this package. */

/** The relative path from the built module to the root of the package. Only the build defines this constant. */
declare const PACKAGE_ROOT: string | undefined;

/**
 * Returns the URL of a file or a folder of this package. `path` is relative to the root of the package. In a bundled
 * program, the location of the package is unknown: then throws an `Error` with the remedy.
 */
export function packageFile(path: string, remedy: string): URL {
  const url = import.meta.url as string | undefined;
  const root = typeof PACKAGE_ROOT === 'string' ? PACKAGE_ROOT : '../../..';
  if (url !== undefined) return new URL(`${root}/${path}`, url);
  throw new Error(`Cannot find "${path}" of todo-item-service: the program is bundled without it; ${remedy}`);
}
