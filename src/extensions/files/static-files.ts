/**
 * Serves a static folder: the stage that answers GET and HEAD with the files of one folder (§4.2, D36).
 *
 * All other requests go to the next stage. This includes a name that is absent and a file that is refused (outside the
 * folder, a dot-file, a pipe, a folder without its trailing slash), so a reply does not tell which files exist, and a
 * folder at `/` does not hide the routes behind it.
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after, assertOptions } from '../../extending.ts';
import type { Plugin, Stage } from '../../index.ts';
import { fileName, pathBelow, prefixOf } from './file-name.ts';
import { fileReply } from './file-reply.ts';
import { Folder } from './folder.ts';

/** A folder and how it is served. */
export interface StaticFilesOptions {
  /** The folder: a path, or a `file:` URL. */
  readonly root: string | URL;
  /** The path prefix, which ignores case: `/` unless given. */
  readonly at?: string;
  /** The file for a path with a trailing slash: `index.html` unless given. */
  readonly index?: string;
  /** `max-age` in seconds. Unless given, the reply has `no-cache`, and clients revalidate each time. */
  readonly maxAge?: number;
  /** Serves names that begin with a dot too. Off unless given. */
  readonly dotfiles?: boolean;
}

/** The stage for a folder. Its reply rejects with a 503 `HttpProblem` when the disk fails. */
export function staticFiles(options: StaticFilesOptions): Stage {
  assertOptions('serve static files', options, ['root', 'at', 'index', 'maxAge', 'dotfiles']);
  const { root, at = '/', index = 'index.html', maxAge, dotfiles = false } = options;
  const prefix = prefixOf(at);
  const caching = maxAge === undefined ? 'no-cache' : `public, max-age=${maxAge}`;
  const folder = new Folder(root, { headers: ['Cache-Control', caching] });

  return function staticFiles(context, next) {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next(context);
    const path = pathBelow(context.path, prefix);
    const name = path === undefined ? undefined : fileName(path, index, dotfiles);
    if (name === undefined) return next(context);
    const found = folder.find(name);
    if (found === undefined) return next(context);
    const reply = after(found, (file) => file && fileReply(context, file, folder.root));
    return after(reply, (made) => made ?? next(context));
  };
}

/**
 * The same as a plugin, whose start rejects when the folder does not exist or cannot be read. It stands behind
 * `swaggerPage` in the list of plugins, which answers for the files of the page and adds its policy.
 */
export function staticSite(options: StaticFilesOptions): Plugin {
  return {
    name: 'static-site',
    stages: [staticFiles(options)],
    async start() {
      const root = options.root instanceof URL ? fileURLToPath(options.root) : options.root;
      const refusal = (cause: string): Error =>
        new Error(`Cannot serve static files from "${root}": ${cause}; name a folder that the service may read`);
      const found = await stat(root).catch(() => undefined);
      if (found === undefined) throw refusal('there is no such folder');
      if (!found.isDirectory()) throw refusal('it is not a folder');
      await access(root, constants.R_OK | constants.X_OK).catch(() => {
        throw refusal('it may not be read');
      });
    },
  };
}
