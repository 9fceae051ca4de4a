/**
 * Finds the files of the page, in a folder beside the program or in the program itself, where the build has put them;
 * and rewrites the links of an index page.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../core/application/package-file.ts';
import type { EmbeddedFiles } from '../files/files.ts';

/** A name that the build defines, where the files go into the program. */
declare const EMBEDDED_PAGE: EmbeddedFiles | undefined;

const REMEDY = 'give swaggerPage({ vendored: page }), with { page } from "todo-item-service/page"';

/** Not a constant, so that a program bundled without the page can load. There it throws an `Error` with the remedy. */
export const vendoredPage = (): URL | EmbeddedFiles =>
  typeof EMBEDDED_PAGE === 'undefined' ? packageFile('static/swagger-ui', REMEDY) : EMBEDDED_PAGE;

/** The path of the page that the vendored script is written for. */
export const PAGE_PATH = 'swagger/ui';

/** Is there a page to show, in the static folder or in this program? Throws an `Error` for a program without it. */
export const hasPage = (folder: string | undefined): boolean =>
  (folder !== undefined && hasIndex(join(folder, PAGE_PATH))) || hasIndex(vendoredPage());

/** Opens the file: other ways to ask need more rights than that in Deno. */
export function hasIndex(source: string | URL | EmbeddedFiles): boolean {
  if (isEmbedded(source)) return true;
  try {
    closeSync(openSync(source instanceof URL ? new URL('index.html', `${source}/`) : join(source, 'index.html'), 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Throws a `TypeError` for what is neither the path of a folder nor files. */
export function isEmbedded(source: string | URL | EmbeddedFiles): source is EmbeddedFiles {
  if (typeof source === 'string' || source instanceof URL) return false;
  const files = (source as Partial<EmbeddedFiles> | null)?.files;
  if (typeof files === 'object' && files !== null) return true;
  const remedy = 'give the path of its folder, or { page } from "todo-item-service/page"';
  throw new TypeError(`Cannot serve the page from the vendored files that are given: they are none; ${remedy}`);
}

/**
 * A comment; an element whose content is text without tags, up to its end tag; or any other tag. A quote begins a value
 * only behind an equals sign.
 */
const TAG =
  /<!---?>|<!--[^]*?(?:-->|$)|(<(script|style|textarea|title)(?=[\t\n\f\r />])ATTRIBUTES>)[^]*?(?:(?=<\/\2)|$)|<[a-z]ATTRIBUTES>/;
const ATTRIBUTES = /(?:=(?:[\t\n\f\r ]*(?:"[^"]*"|'[^']*')|(?![\t\n\f\r ]*["']))|[^>=])*/;
const TAGS = new RegExp(TAG.source.replaceAll('ATTRIBUTES', ATTRIBUTES.source), 'gi');
/** The name of an attribute with the equals sign, and its value with its quotes. */
const ATTRIBUTE = /([^\t\n\f\r />=]+)([\t\n\f\r ]*=[\t\n\f\r ]*)("[^"]*"|'[^']*'|[^\t\n\f\r "'>][^\t\n\f\r >]*)/g;
/** The beginning of a relative link: it has neither a leading slash, which may be `\`, nor a scheme, and is not empty. */
const RELATIVE = /^(["']?)[\t\n\f\r ]*(?:\.\/)*(?![\t\n\f\r /\\#?"']|[a-z][a-z0-9+.-]*:|$)/i;

/**
 * The page, in any encoding that extends ASCII, with `prefix`, such as `ui/`, in front of every relative `src` and
 * `href`, for an address without a trailing slash: at `/swagger/ui` the link `custom.css` leads to
 * `/swagger/custom.css`, and with the prefix to the right file. A redirect to the other address would need the path
 * prefix that a proxy has removed (D18).
 */
export function prefixRelativeLinks(page: Uint8Array, prefix: string): Uint8Array {
  const prefixed = (tag: string): string =>
    tag.replace(ATTRIBUTE, (attribute, name: string, sign: string, value: string) =>
      /^(?:src|href)$/i.test(name) ? name + sign + value.replace(RELATIVE, (_, quote) => quote + prefix) : attribute,
    );
  const html = Buffer.from(page).toString('latin1');
  const changed = html.replace(TAGS, (found: string, tag: string = found) =>
    found.startsWith('<!') ? found : prefixed(tag) + found.slice(tag.length),
  );
  return Buffer.from(changed, 'latin1');
}
