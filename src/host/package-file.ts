/** Finds the files that are shipped with the program: the vendored page, `package.json`. */

/**
 * The address of a file of the package; `path` is relative to its root.
 *
 * This module stands two folders below the root, in the sources and, as the build declares it, in the bundle.
 */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);
