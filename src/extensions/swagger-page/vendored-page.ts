/** Finds the files of the page: in a folder beside the program, or in the program, where the build has put them. */
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
