/**
 * A stage that answers with the files of one folder (§4.2, D36): GET and HEAD of a name that is there, and nothing else.
 *
 * What is absent and what is refused – a file outside, a dot-file, a pipe, a directory without its slash – both fall
 * through, so nobody learns from the answer what lies on the disk. Neither does a folder at `/` shut the way to the routes
 * behind it, and passing it costs an API request no look at the disk (`absent-names.ts`).
 */
import { after } from '../http/message/after.ts';
import type { Stage } from '../pipeline/pipeline.ts';
import { fileName, pathBelow, prefixOf } from './file-name.ts';
import { fileReply } from './file-reply.ts';
import { Folder } from './folder.ts';

/** A folder and where it is found. */
export interface StaticFilesOptions {
  /** The folder: a path, or a `file:` URL. */
  readonly root: string | URL;
  /** The path prefix, matched ignoring case: `/` unless given. */
  readonly at?: string;
  /** What `/dir/` answers with: `index.html` unless given. */
  readonly index?: string;
  /** Seconds for which a client may use its copy without asking; unless given it asks each time and is mostly told 304. */
  readonly maxAge?: number;
  /** Also names that begin with a dot. Off unless given. */
  readonly dotfiles?: boolean;
}

/**
 * Answers from the folder; whatever is not there is for the next stage. Its promise rejects with a 503 `HttpProblem` when the
 * disk cannot tell at the moment.
 */
export function staticFiles({
  root,
  at = '/',
  index = 'index.html',
  maxAge,
  dotfiles = false,
}: StaticFilesOptions): Stage {
  const prefix = prefixOf(at);
  const folder = new Folder(root, {
    lines: ['Cache-Control', maxAge === undefined ? 'no-cache' : `public, max-age=${maxAge}`],
  });

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
