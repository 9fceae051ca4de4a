/**
 * Finds the files of the page: in a folder of the package, or in the program if the build has embedded them. Also
 * rewrites the links of an index page.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../core/application/package-file.ts';
import type { EmbeddedFiles } from '../files/files.ts';

/** The files of the page. This name is defined only if the build embeds the files in the program. */
declare const EMBEDDED_PAGE: EmbeddedFiles | undefined;

const REMEDY = 'give swaggerPage({ vendored: page }), with { page } from "todo-item-service/page"';

/**
 * Returns the folder or the embedded files. Throws an `Error` with the remedy if the program is bundled without the
 * page. This is a function, not a constant, so that such a program can still load this module.
 */
export const vendoredPage = (): URL | EmbeddedFiles =>
  typeof EMBEDDED_PAGE === 'undefined' ? packageFile('static/swagger-ui', REMEDY) : EMBEDDED_PAGE;

/** The path of the page. */
export const PAGE_PATH = 'swagger/ui';

/** Returns true if `index.html` is readable. Opens the file, because other checks need more permissions in Deno. */
export function hasIndex(source: string | URL | EmbeddedFiles): boolean {
  if (isEmbedded(source)) return true;
  try {
    closeSync(openSync(source instanceof URL ? new URL('index.html', `${source}/`) : join(source, 'index.html'), 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Returns true for embedded files, and false for the path of a folder. Throws a `TypeError` for any other value. */
export function isEmbedded(source: string | URL | EmbeddedFiles): source is EmbeddedFiles {
  if (typeof source === 'string' || source instanceof URL) return false;
  const files = (source as Partial<EmbeddedFiles> | null)?.files;
  if (typeof files === 'object' && files !== null) return true;
  const remedy = 'give the path of its folder, or { page } from "todo-item-service/page"';
  throw new TypeError(`Cannot serve the page: the option "vendored" is neither a folder nor files; ${remedy}`);
}

/** Matches the beginning of a relative link: it has no scheme, does not begin with a slash or backslash, is not empty. */
const RELATIVE = /(?<![\w-])((?:src|href)\s*=\s*["']?)(?:\.\/)*(?![\s/\\#?>"']|[a-z][a-z0-9+.-]*:)/gi;

/**
 * Returns the page with `prefix`, for example `ui/`, in front of every relative `src` and `href`. The page may have any
 * encoding that extends ASCII.
 *
 * The prefix is necessary for an address without a trailing slash: at `/swagger/ui`, the link `custom.css` would lead
 * to `/swagger/custom.css`. The service cannot redirect to the address with a slash, because a proxy may have removed a
 * path prefix that the service does not know (D18).
 */
export function prefixRelativeLinks(page: Uint8Array, prefix: string): Uint8Array {
  const html = Buffer.from(page).toString('latin1');
  return Buffer.from(html.replace(RELATIVE, `$1${prefix.replaceAll('$', '$$$$')}`), 'latin1');
}
