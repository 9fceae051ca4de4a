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
  type ServedFile,
  variant,
} from '../files/files.ts';
import { prefixRelativeLinks } from './relative-links.ts';
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

/** A file, and the root of the folder that it is in. */
interface PageFile {
  readonly file: ServedFile;
  readonly root: string;
}

type Found = PageFile | undefined;
type Rewriter = (file: ServedFile) => ServedFile;

/** The paths of the page and of its document, without leading and trailing slashes. */
interface PagePlace {
  readonly path: string;
  readonly document: string;
}

/** The paths that the vendored script is written for. */
const DEFAULT_PLACE: PagePlace = { path: 'swagger/ui', document: 'swagger/v1/swagger.json' };

/** A client can write the last path segment in many ways: in upper and lower case, and percent-encoded. */
const MAX_PREFIXES = 32;

/**
 * Finds the files of the page, in the static folder or among the vendored ones (D19), and adapts two to its address.
 * Without the trailing slash, the links of the index page need the last path segment as a prefix. The vendored script
 * needs the path from the page to the application.
 */
class PageFiles {
  readonly #own: Folder | undefined;
  readonly #vendored: Folder | EmbeddedFolder;
  readonly #path: string;
  /** The rewriting of the index page, by the prefix of its links. */
  readonly #withPrefix = new Map<string, Rewriter>();
  readonly #withPlace: Rewriter;

  constructor(own: Folder | undefined, vendored: Folder | EmbeddedFolder, place: PagePlace) {
    this.#own = own;
    this.#vendored = vendored;
    this.#path = place.path;
    const isDefault = place.path === DEFAULT_PLACE.path && place.document === DEFAULT_PLACE.document;
    const depth = place.path.split('/').length;
    this.#withPlace = isDefault ? (file) => file : rewriter((script) => withPlace(script, depth, place.document));
  }

  /** The index page for the path without a trailing slash. `asked` is as in `find`. */
  index(asked: string): Found | Promise<Found> {
    const segment = encodeURIComponent(asked.slice(asked.lastIndexOf('/') + 1));
    const prefix = `${segment.replaceAll("'", '%27')}/`;
    const prefixed = (found: Found): Found => found && { ...found, file: this.#prefixed(found.file, prefix) };
    return after(this.find('index.html', asked), prefixed);
  }

  /**
   * The file with a name from `fileName`. `asked` is the path of the page as the request writes it, decoded and without
   * slashes around it; the static folder is searched there first (D59). Rejects as `Folder.find` does.
   */
  find(name: string, asked: string): Found | Promise<Found> {
    const own = this.#own;
    if (own === undefined) return this.#fromVendored(name);
    return after(own.find(`${asked}/${name}`), (file) => {
      if (file !== undefined) return { file, root: own.root };
      return asked === this.#path ? this.#fromVendored(name) : this.find(name, this.#path);
    });
  }

  #prefixed(file: ServedFile, prefix: string): ServedFile {
    let withPrefix = this.#withPrefix.get(prefix);
    if (withPrefix === undefined) {
      if (this.#withPrefix.size >= MAX_PREFIXES) this.#withPrefix.clear();
      this.#withPrefix.set(prefix, (withPrefix = rewriter((page) => prefixRelativeLinks(page, prefix))));
    }
    return withPrefix(file);
  }

  #fromVendored(name: string): Found | Promise<Found> {
    const { root } = this.#vendored;
    const placed = (file: ServedFile): ServedFile => (name === 'init.js' ? this.#withPlace(file) : file);
    return after(this.#vendored.find(name), (file) => file && { file: placed(file), root });
  }
}

/**
 * A function that rewrites a file once for each change on the disk, with a tag of its own. A file that is too large to
 * be cached stays as it is.
 */
function rewriter(change: (bytes: Uint8Array) => Uint8Array): Rewriter {
  const rewritten = new WeakMap<ServedFile, ServedFile>();
  return (file) => {
    const { bytes: before } = file.identity;
    if (before === undefined) return file;
    const known = rewritten.get(file);
    if (known !== undefined) return known;
    const bytes = change(before);
    const identity = variant({ ...file.identity, bytes, length: bytes.length, varies: false });
    const result = { identity, encoded: {}, codings: [] };
    rewritten.set(file, result);
    return result;
  };
}

/** The vendored script for a page that is `depth` path segments below the application. */
function withPlace(script: Uint8Array, depth: number, document: string): Uint8Array {
  const place = JSON.stringify({ application: './' + '../'.repeat(depth), document });
  const text = Buffer.from(script).toString('utf8');
  return Buffer.from(text.replace(/const place = \{.*\};/, () => `const place = ${place};`));
}
