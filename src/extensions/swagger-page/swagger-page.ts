/**
 * Serves the interactive page of the description (§4.2, D18, D19).
 *
 * Each file of the page comes from the static folder where it exists under the path of the page, else from the vendored
 * Swagger UI. A `custom.css` or an `index.html` alone is enough to restyle the page. The page answers at `/swagger/ui`,
 * `/swagger/ui/` and `/swagger/ui/index.html` without a redirect, whose target would be wrong behind a proxy that
 * strips a prefix.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { after, assertOptions, flat, logWarning } from '../../extending.ts';
import { isEncrypted } from '../../http.ts';
import { type Context, type Plugin, type Reply, type Stage, withHeaders } from '../../index.ts';
import {
  type EmbeddedFiles,
  EmbeddedFolder,
  Folder,
  fileName,
  fileReply,
  pathBelow,
  prefixOf,
} from '../files/files.ts';
import { DEFAULT_PLACE, PageFiles } from './page-files.ts';
import { vendoredPage } from './vendored-page.ts';

/**
 * Files from its own origin only, no inline script or style, no frames. `data:` is for the icons of Swagger UI, `blob:`
 * for the picture that a reply has.
 */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The headers of every file (D18). `no-cache` makes browsers revalidate, so a new style shows at once. */
export const PAGE_HEADERS = flat({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': PAGE_POLICY,
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), ' +
    'microphone=(), midi=(), payment=(), usb=()',
});

/** For requests over https only: over http browsers ignore this header with a warning. */
const SECURE_PAGE_HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** The address of the page and the folders of its files. */
export interface SwaggerPageOptions {
  /** The path of the page, which may not be the root: `swagger/ui` unless given. */
  readonly path?: string;
  /** The path of the document that the page shows: `swagger/v1/swagger.json` unless given. */
  readonly document?: string;
  /** The static folder, in which a folder with the path of the page holds files that replace the vendored ones. */
  readonly folder?: string | URL | undefined;
  /**
   * The folder of the vendored Swagger UI: that of this package unless given. A program that is bundled into one file
   * gives `page` from `todo-item-service/page`.
   */
  readonly vendored?: string | URL | EmbeddedFiles;
  /** Did this request come over https? What the trusted proxies of the application tell unless given. */
  readonly secure?: (context: Context) => boolean;
  /** Called at the start with one line when the vendored page cannot be read. Unless given, the line is logged. */
  readonly warn?: (line: string) => void;
}

/**
 * Serves the interactive page. It stands before `staticSite`, which would serve the files of the page without their
 * policy.
 */
export function swaggerPage(options: SwaggerPageOptions = {}): Plugin {
  assertOptions('serve the page', options, ['path', 'document', 'folder', 'vendored', 'secure', 'warn']);
  const { path = DEFAULT_PLACE.path, document = DEFAULT_PLACE.document, folder } = options;
  const { vendored = vendoredPage(), warn = logWarning } = options;
  let { secure = isEncrypted } = options;
  const place = { path: trimmed(path), document: trimmed(document) };
  const own = folder === undefined ? undefined : new Folder(folder, { headers: PAGE_HEADERS });
  const vendoredFolder = isEmbedded(vendored)
    ? new EmbeddedFolder(vendored, { headers: PAGE_HEADERS })
    : new Folder(vendored, { headers: PAGE_HEADERS, ignoreAge: true });
  return {
    name: 'swagger-page',
    stages: [pageStage(place.path, new PageFiles(own, vendoredFolder, place), (context) => secure(context))],
    start({ forwarding }) {
      if (options.secure === undefined) secure = forwarding.secure;
      if (hasIndex(vendored)) return;
      warn(`Cannot show the page at "/${place.path}": "${vendoredFolder.root}" has no index.html that may be read`);
    },
  };
}

/**
 * Is there a page to show: in the static folder, where one is given, or in this program? Throws as `vendoredPage` does.
 */
export const hasPage = (folder: string | undefined): boolean =>
  (folder !== undefined && hasIndex(join(folder, DEFAULT_PLACE.path))) || hasIndex(vendoredPage());

const hasIndex = (source: string | URL | EmbeddedFiles): boolean =>
  isEmbedded(source) ||
  canRead(source instanceof URL ? new URL('index.html', `${source}/`) : join(source, 'index.html'));

/** Throws a `TypeError` for what is neither the path of a folder nor files. */
function isEmbedded(source: string | URL | EmbeddedFiles): source is EmbeddedFiles {
  if (typeof source === 'string' || source instanceof URL) return false;
  const files = (source as Partial<EmbeddedFiles> | null)?.files;
  if (typeof files === 'object' && files !== null) return true;
  const remedy = 'give the path of its folder, or { page } from "todo-item-service/page"';
  throw new TypeError(`Cannot serve the page from the vendored files that are given: they are none; ${remedy}`);
}

/** Opens the file: other ways to ask need more rights than that in Deno. */
function canRead(file: string | URL): boolean {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch {
    return false;
  }
}

function pageStage(path: string, files: PageFiles, secure: (context: Context) => boolean): Stage {
  const prefix = prefixOf(path);
  const withPolicies = (context: Context, reply: Reply): Reply =>
    secure(context) ? withHeaders(reply, SECURE_PAGE_HEADERS) : reply;

  return function swaggerPage(context, next) {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next(context);
    const below = pathBelow(context.path, prefix);
    if (below === undefined) return next(context);
    const name = below === '' ? 'index.html' : fileName(below, 'index.html');
    if (name === undefined) return next(context);
    const asked = fileName(context.path.slice(0, context.path.length - below.length), '') ?? path;
    const found = below === '' ? files.index(asked) : files.find(name, asked);
    const reply = after(found, (page) => page && fileReply(context, page.file, page.root));
    return after(reply, (made) => (made === undefined ? next(context) : withPolicies(context, made)));
  };
}

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');
