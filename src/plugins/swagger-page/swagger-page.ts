/**
 * The interactive page (§4.2, D18, D19): each of its files from the static folder when one lies there under the page's path,
 * else from the vendored ones. A lone `custom.css` or a lone `index.html` is enough to restyle it. The folder may spell the page's path
 * in letters of its own, `Swagger/UI/`: at that address its files are the page's too.
 *
 * The page answers at `/swagger/ui`, `/swagger/ui/` and `/swagger/ui/index.html`, without a redirect: behind a proxy that
 * strips a prefix the service could not say where to.
 */
import { accessSync, constants } from 'node:fs';
import { fileName, pathBelow, prefixOf } from '../../files/file-name.ts';
import { fileReply } from '../../files/file-reply.ts';
import { Folder } from '../../files/folder.ts';
import { packageFile } from '../../host/package-file.ts';
import type { Plugin } from '../../host/plugin.ts';
import { after } from '../../http/message/after.ts';
import type { Context, Reply } from '../../http/message/context.ts';
import { withHeaders } from '../../http/message/replies.ts';
import { isEncrypted } from '../../http/proxy/is-encrypted.ts';
import { logWarning } from '../../log/log-line.ts';
import type { Stage } from '../../pipeline/pipeline.ts';
import { PageFiles, USUAL } from './page-files.ts';
import { PAGE_HEADERS, SECURE_PAGE_HEADERS } from './page-policy.ts';

/** Where the page is and what it is made of. */
export interface SwaggerPageOptions {
  /** The page's path: `swagger/ui` unless given. Not the root. */
  readonly path?: string;
  /** The path of the document that it shows: `swagger/v1/swagger.json` unless given. */
  readonly document?: string;
  /** The static folder, when static files are on; the page's own files lie under the page's path in it. */
  readonly folder?: string | URL | undefined;
  /** The folder of the vendored page. */
  readonly vendored?: string | URL;
  /** Did this request come over https? By its socket unless given; behind a proxy that ends TLS only who knows the proxy can tell. */
  readonly secure?: (context: Context) => boolean;
  /** Told in one line, at the start, when the vendored page cannot be read: then there is no page. A line of the log unless given. */
  readonly warn?: (line: string) => void;
}

/** The plugin of the page. It goes before the static site, which would answer for the page's files without its policy. */
export function swaggerPage(options: SwaggerPageOptions = {}): Plugin {
  const {
    path = USUAL.path,
    document = USUAL.document,
    folder,
    vendored = packageFile('static/swagger-ui'),
    secure = isEncrypted,
    warn = logWarning,
  } = options;
  const place = { path: trimmed(path), document: trimmed(document) };
  const own = folder === undefined ? undefined : new Folder(folder, { lines: PAGE_HEADERS });
  const shipped = new Folder(vendored, { lines: PAGE_HEADERS, anyAge: true });
  return {
    name: 'swagger-page',
    stages: [pageStage(place.path, new PageFiles(own, shipped, place), secure)],
    start() {
      try {
        accessSync(`${shipped.root}/index.html`, constants.R_OK);
      } catch {
        warn(`Cannot show the page at "/${place.path}": "${shipped.root}" has no index.html that may be read`);
      }
    },
  };
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
