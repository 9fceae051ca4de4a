/**
 * Serves the interactive page of the description (§4.2, D18, D19) at `/swagger/ui`, `/swagger/ui/` and
 * `/swagger/ui/index.html`, without a redirect, which would be wrong behind a proxy that strips a prefix. Each file
 * comes from the static folder where it is there, else from the vendored Swagger UI: a `custom.css` alone restyles it.
 */
import type { Plugin } from '../../core/application/plugin.ts';
import { logWarning } from '../../core/log/log-line.ts';
import type { Context } from '../../core/message/context.ts';
import { pathBelow, prefixSegments, type SentPath } from '../../core/message/path.ts';
import { withHeaders } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { isEncrypted } from '../../core/wire/trusted-proxy.ts';
import { fileName } from '../files/disk-file.ts';
import { PAGE_HEADERS } from '../files/file-headers.ts';
import { fileReply, type ServedFile, variant } from '../files/file-reply.ts';
import type { EmbeddedFiles } from '../files/files.ts';
import { EmbeddedFolder, Folder } from '../files/folder.ts';
import { hasIndex, isEmbedded, PAGE_PATH, prefixRelativeLinks, vendoredPage } from './vendored-page.ts';

/** For requests over https only: over http browsers ignore this header with a warning. */
const SECURE_PAGE_HEADERS = { 'Cross-Origin-Opener-Policy': 'same-origin' };

/** The address of the page and the folders of its files. */
interface SwaggerPageOptions {
  /** The path of the page, which may not be the root: `swagger/ui` unless given. */
  readonly path?: string | undefined;
  /** The path of the document that the page shows: `swagger/v1/swagger.json` unless given. */
  readonly document?: string | undefined;
  /** The static folder, in which a folder with the path of the page holds files that replace the vendored ones. */
  readonly folder?: string | URL | undefined;
  /** The vendored Swagger UI, that of this package unless given. A bundled program gives `todo-item-service/page`. */
  readonly vendored?: string | URL | EmbeddedFiles | undefined;
  /** Did this request come over https? What the trusted proxies of the application tell unless given. */
  readonly secure?: ((context: Context) => boolean) | undefined;
  /** Called at the start with one line when the vendored page cannot be read. Unless given, the line is logged. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** The path of the document that the vendored script is written for. */
const DOCUMENT = 'swagger/v1/swagger.json';

/** A file, and the root of the folder that it is in. */
type Found = { readonly file: ServedFile; readonly root: string } | undefined;

/** Serves the interactive page. It stands before `staticSite`, which would serve its files without their policy. */
export function swaggerPage(options: SwaggerPageOptions = {}): Plugin {
  assertOptions('serve the page', options, ['path', 'document', 'folder', 'vendored', 'secure', 'warn']);
  const { folder, vendored = vendoredPage(), warn = logWarning } = options;
  let { secure = isEncrypted } = options;
  const path = trimmed(options.path ?? PAGE_PATH);
  const document = trimmed(options.document ?? DOCUMENT);
  const segments = prefixSegments(path);
  const own = folder === undefined ? undefined : new Folder(folder, { headers: PAGE_HEADERS });
  const vendoredFolder = isEmbedded(vendored)
    ? new EmbeddedFolder(vendored, { headers: PAGE_HEADERS })
    : new Folder(vendored, { headers: PAGE_HEADERS, ignoreAge: true });

  /** Looks into the static folder first (D19): under the path as the request writes it (D59), then as it is. */
  async function find(name: string, asked: string): Promise<Found> {
    for (const place of new Set([asked, path])) {
      const file = await own?.find(`${place}/${name}`);
      if (file !== undefined) return { file, root: own!.root };
    }
    const file = await vendoredFolder.find(name);
    if (file === undefined) return undefined;
    const isWritten = name === 'init.js' && (path !== PAGE_PATH || document !== DOCUMENT);
    const placed = isWritten ? rewritten(file, (script) => withPlace(script, path, document)) : file;
    return { file: placed, root: vendoredFolder.root };
  }

  async function answer(context: Context, below: SentPath, name: string): Promise<Reply | undefined> {
    const above = context.segments.slice(0, context.segments.length - below.segments.length);
    const asked = fileName({ path: '', segments: above }, '') ?? path;
    const found = await find(name, asked);
    if (found === undefined) return undefined;
    const file = below.path === '' ? withPrefix(found.file, asked) : found.file;
    const reply = await fileReply(context, file, found.root);
    return reply && secure(context) ? withHeaders(reply, SECURE_PAGE_HEADERS) : reply;
  }

  return {
    name: 'swagger-page',
    stages: [
      // Not async: a request that passes by pays for no promise.
      function swaggerPage(context, next) {
        if (context.method !== 'GET' && context.method !== 'HEAD') return next(context);
        const below = pathBelow(context, segments);
        const name = below && (below.path === '' ? 'index.html' : fileName(below, 'index.html'));
        if (below === undefined || name === undefined) return next(context);
        return answer(context, below, name).then((reply) => reply ?? next(context));
      },
    ],
    start({ forwarding }) {
      if (options.secure === undefined) secure = forwarding.secure;
      if (hasIndex(vendored)) return;
      warn(`Cannot show the page at "/${path}": "${vendoredFolder.root}" has no index.html that may be read`);
    },
  };
}

const trimmed = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** The index page for the path without a trailing slash: its links need the last segment of that path in front. */
function withPrefix(file: ServedFile, asked: string): ServedFile {
  const segment = encodeURIComponent(asked.slice(asked.lastIndexOf('/') + 1));
  return rewritten(file, (page) => prefixRelativeLinks(page, `${segment.replaceAll("'", '%27')}/`));
}

/** The vendored script with the path from the page to the application. */
function withPlace(script: Uint8Array, path: string, document: string): Uint8Array {
  const place = JSON.stringify({ application: `./${'../'.repeat(path.split('/').length)}`, document });
  const text = Buffer.from(script).toString('utf8');
  return Buffer.from(text.replace(/const place = \{.*\};/, () => `const place = ${place};`));
}

/** The changed file, with a tag of its own. A file that is too large to be cached stays as it is. */
function rewritten(file: ServedFile, change: (bytes: Uint8Array) => Uint8Array): ServedFile {
  if (file.identity.bytes === undefined) return file;
  const bytes = change(file.identity.bytes);
  return { identity: variant({ ...file.identity, bytes, length: bytes.length, varies: false }), encoded: [] };
}
