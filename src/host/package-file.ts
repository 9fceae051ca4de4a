/**
 * The address of a file that is shipped with the program, such as `package.json`; `path` is relative to its root.
 *
 * This module stands two folders below the root, in the sources and, as the build declares it, in the bundle.
 */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url);
