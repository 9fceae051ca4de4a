/**
 * Serves the interactive page of the description at `/swagger/ui`, `/swagger/ui/` and `/swagger/ui/index.html` (§4.2,
 * D18, D19). The plugin never redirects, because the target would be wrong if a proxy has removed a path prefix. A file
 * in the static folder replaces the file of the same name in the vendored Swagger UI, so one `custom.css` can change
 * the style of the page.
 */
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context } from '../../core/http/context.ts';
import { pathBelow, prefixSegments, type SentPath } from '../../core/http/path.ts';
import { withHeaders } from '../../core/http/replies.ts';
import { logWarning } from '../../core/log/log-line.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Forwarding } from '../../core/server/trusted-proxy.ts';
import { fileName } from '../files/disk-file.ts';
import { PAGE_HEADERS } from '../files/file-headers.ts';
import { fileReply, type ServedFile, variant } from '../files/file-reply.ts';
import type { EmbeddedFiles } from '../files/files.ts';
import { EmbeddedFolder, Folder } from '../files/folder.ts';
import { hasIndex, isEmbedded, PAGE_PATH, prefixRelativeLinks, vendoredPage } from './vendored-page.ts';

/** Headers only for requests over https. Over http, browsers ignore this header and show a warning in the console. */
const SECURE_PAGE_HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** The options of `swaggerPage`. */
interface SwaggerPageOptions {
  /** The path of the document that the page shows, without a leading slash. Default: `swagger/v1/swagger.json`. */
  readonly document?: string | undefined;
  /** The static folder. Its files below the path of the page replace the vendored files. */
  readonly folder?: string | URL | undefined;
  /** The Swagger UI files. Default: the files in this package. A bundled program passes `page` of the page module. */
  readonly vendored?: string | URL | EmbeddedFiles | undefined;
}

/** The path of the document in the vendored script. */
const DOCUMENT = 'swagger/v1/swagger.json';

/** A file, and the root folder in which it was found. */
type Found = { readonly file: ServedFile; readonly root: string } | undefined;

/**
 * Returns a plugin that serves the interactive page. Put it before `staticSite`, which would otherwise serve the files
 * of the page without its security policy. Its start logs a warning if the vendored page cannot be read. Throws a
 * `TypeError` for an unknown option or an invalid `vendored`.
 */
export function swaggerPage(options: SwaggerPageOptions = {}): Plugin {
  assertOptions('serve the page', options, ['document', 'folder', 'vendored']);
  const { document = DOCUMENT, folder, vendored = vendoredPage() } = options;
  const segments = prefixSegments(PAGE_PATH);
  const staticFolder = folder === undefined ? undefined : new Folder(folder, { headers: PAGE_HEADERS });
  const vendoredFolder = isEmbedded(vendored)
    ? new EmbeddedFolder(vendored, { headers: PAGE_HEADERS })
    : new Folder(vendored, { headers: PAGE_HEADERS, ignoreAge: true });

  /**
   * Finds a file, first in the static folder (D19). The path in the request may differ from `swagger/ui` in upper and
   * lower case, so the static folder is searched for both, first for the path in the request (D59).
   */
  async function find(name: string, requestedPath: string): Promise<Found> {
    for (const place of new Set([requestedPath, PAGE_PATH])) {
      const file = await staticFolder?.find(`${place}/${name}`);
      if (file !== undefined) return { file, root: staticFolder!.root };
    }
    const file = await vendoredFolder.find(name);
    if (file === undefined) return undefined;
    const isAdapted = name === 'init.js' && document !== DOCUMENT;
    return { file: isAdapted ? withDocument(file, document) : file, root: vendoredFolder.root };
  }

  async function answer(context: Context, below: SentPath, name: string, secure: Forwarding['secure']) {
    const above = context.segments.slice(0, context.segments.length - below.segments.length);
    const requestedPath = fileName({ path: '', segments: above }) ?? PAGE_PATH;
    const found = await find(name, requestedPath);
    if (found === undefined) return undefined;
    const file = below.path === '' ? withPrefix(found.file, requestedPath) : found.file;
    const reply = await fileReply(context, file, found.root);
    return reply && secure(context) ? withHeaders(reply, SECURE_PAGE_HEADERS) : reply;
  }

  return {
    name: 'swagger-page',
    parts: ({ forwarding: { secure } }) => ({
      stages: [
        // Not async, so that a request for another path does not create a promise.
        function swaggerPage(context, next) {
          if (context.method !== 'GET' && context.method !== 'HEAD') return next(context);
          const below = pathBelow(context, segments);
          const name = below && (below.path === '' ? 'index.html' : fileName(below));
          if (below === undefined || name === undefined) return next(context);
          return answer(context, below, name, secure).then((reply) => reply ?? next(context));
        },
      ],
    }),
    start() {
      if (hasIndex(vendored)) return;
      logWarning(`Cannot show the page at "/${PAGE_PATH}": "${vendoredFolder.root}" has no readable index.html`);
    },
  };
}

/** Returns the index page for a path without a trailing slash. Adds the last segment of the path to relative links. */
function withPrefix(file: ServedFile, requestedPath: string): ServedFile {
  const segment = encodeURIComponent(requestedPath.slice(requestedPath.lastIndexOf('/') + 1));
  return rewritten(file, (page) => prefixRelativeLinks(page, `${segment.replaceAll("'", '%27')}/`));
}

/** Returns the vendored script with the path of this document. */
const withDocument = (file: ServedFile, document: string): ServedFile =>
  rewritten(file, (script) =>
    Buffer.from(
      Buffer.from(script)
        .toString()
        .replace(`'${DOCUMENT}'`, () => JSON.stringify(document)),
    ),
  );

/** Returns the changed file with a new ETag. A file that is too large for the cache is not changed. */
function rewritten(file: ServedFile, change: (bytes: Uint8Array) => Uint8Array): ServedFile {
  if (file.identity.bytes === undefined) return file;
  const bytes = change(file.identity.bytes);
  return { identity: variant({ ...file.identity, bytes, length: bytes.length, varies: false }), encoded: [] };
}
