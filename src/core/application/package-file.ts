/** Finds the files that are shipped with this package. */

/** The way from the module to the root of the package, as the build declares it; undefined in the sources. */
declare const PACKAGE_ROOT: string | undefined;

/**
 * The address of a file or a folder that is shipped with this package; `path` is relative to its root. Throws an
 * `Error` with the remedy in a program that is bundled around this library without telling it where it stands.
 */
export function packageFile(path: string, remedy: string): URL {
  const url = import.meta.url as string | undefined;
  const root = typeof PACKAGE_ROOT === 'string' ? PACKAGE_ROOT : '../../..';
  if (url !== undefined) return new URL(`${root}/${path}`, url);
  throw new Error(`Cannot find "${path}" of todo-item-service: the program is bundled without it; ${remedy}`);
}
