/** Files as replies, and a folder as a site: `todo-item-service/files`. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, parse, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context, Handler } from '../../core/message/context.ts';
import { contentTypeOf } from '../../core/message/headers/content-type.ts';
import { API_POLICY, flat, withDefaults } from '../../core/message/headers/header-lines.ts';
import { pathBelow, prefixSegments } from '../../core/message/path.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import { makeReply } from '../../core/message/replies.ts';
import type { Reply } from '../../core/message/reply.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { fileName, isFileName, openFile } from './disk-file.ts';
import { downloadDisposition, mediaTypeOf } from './file-headers.ts';
import { fileReply, openFileReply, type ServedFile } from './file-reply.ts';
import { Folder } from './folder.ts';

export type { EmbeddedFiles } from './folder.ts';

/** How a file is answered. */
interface FileOptions {
  /** The folder that the file is in. The path is then a name below it, with slashes, and may come from a client. */
  readonly root?: string | URL | undefined;
  /** That of the extension of the name unless given. */
  readonly mediaType?: string | undefined;
  /** Makes a browser save the file under this name. */
  readonly downloadAs?: string | undefined;
  /** `no-cache` unless given: clients ask each time, and are told when they have it. */
  readonly cacheControl?: string | undefined;
  /** Further headers, which replace others of the same names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A reply with a file, read as the client takes it: with a tag, a date, conditions and ranges, also for HEAD. Rejects
 * with an `HttpProblem`: 404 for no such file, 412 and 416 for conditions and ranges that it does not meet, 503 when
 * the disk fails. An operation declares them with `...fileResponses('application/pdf')`.
 *
 *     route({ path: 'report', handle: ({ context }) => file(context, 'report.pdf', { downloadAs: 'Report.pdf' }) });
 *     route({ path: 'uploads/{name}', handle: ({ context, values }) => file(context, values.name, { root: 'in' }) });
 *
 * Without `root` the path is yours, and a link leads wherever it points. Below `root` only regular files are found, by
 * names without hidden parts. No browser runs what such a file contains; `staticFiles` serves pages.
 */
export async function file(
  context: Context,
  path: string | URL,
  options: FileOptions = {},
): Promise<Reply<200 | 206, Readable> | Reply<304, never>> {
  assertOptions('answer with a file', options, ['root', 'mediaType', 'downloadAs', 'cacheControl', 'headers']);
  const { mediaType, downloadAs, cacheControl = 'no-cache', headers } = options;
  const found = placeOf(path, options.root);
  if (found === undefined) throw absent();
  // Before the file is open: what is wrong with an option must not leave it so.
  const disposition = downloadAs === undefined ? [] : ['Content-Disposition', downloadDisposition(downloadAs)];
  const own = withDefaults(['Cache-Control', cacheControl, ...disposition, ...API_POLICY], headers);
  const type = mediaType === undefined ? mediaTypeOf(basename(found.name)) : contentTypeOf(mediaType);
  const opened = await openFile(found.root, found.name);
  if (opened === undefined) throw absent();
  const reply = await openFileReply(context, opened, { name: found.name, mediaType: type, headers: [] });
  const lines = withDefaults(flat(reply.headers), own);
  const { status, body } = reply;
  const isComplete = status === 304 || body instanceof Readable;
  // Bytes of a small file become a stream. The reply to HEAD for a large file has no body.
  const stream = isComplete ? body : Readable.from(body === undefined ? [] : [body]);
  return makeReply(status, lines, stream) as Reply<200 | 206, Readable>;
}

const absent = (): HttpProblem => new HttpProblem(404, 'There is no such file');

/** The folder in which the file must be, and its name there; undefined for a name that is never served. */
function placeOf(path: string | URL, root: string | URL | undefined): { root: string; name: string } | undefined {
  if (root !== undefined) {
    if (typeof path !== 'string' || !isFileName(path)) return undefined;
    return { root: root instanceof URL ? fileURLToPath(root) : root, name: path };
  }
  const whole = resolve(path instanceof URL ? fileURLToPath(path) : path);
  const top = parse(whole).root;
  return { root: top, name: whole.slice(top.length) };
}

const etag = {
  ETag: { type: 'string', description: 'The entity tag of the file, for If-None-Match', always: true },
} as const;
const range = (description: string) => ({ 'Content-Range': { type: 'string', description, always: true } }) as const;

/**
 * Every status of `file`, for an operation.
 *
 *     const handle = ({ context }: { context: Context }) => file(context, 'report.pdf');
 *     operation({ method: 'GET', path: 'report', responses: fileResponses('application/pdf'), handle });
 */
export const fileResponses = <const MediaType extends string>(mediaType: MediaType) =>
  ({
    200: { description: 'The file', mediaType, headers: etag },
    206: {
      description: 'The part of the file that Range requests',
      mediaType,
      headers: { ...etag, ...range('The range of these bytes and the size of the file') },
    },
    304: { description: 'Not modified since the ETag in If-None-Match', headers: etag },
    404: { description: 'The file does not exist' },
    412: { description: 'If-Match does not match the ETag of the file' },
    416: { description: 'The file does not have the part that Range requests', headers: range('The size of the file') },
  }) as const;

/** A folder and how it is served. */
interface StaticFilesOptions {
  /** The folder: a path, or a `file:` URL. */
  readonly root: string | URL;
  /** The path prefix, which ignores case: `/` unless given. */
  readonly at?: string | undefined;
  /** The file for a path with a trailing slash: `index.html` unless given. */
  readonly index?: string | undefined;
  /** `max-age` in seconds. Unless given, the reply has `no-cache`, and clients revalidate each time. */
  readonly maxAge?: number | undefined;
  /** Serves names that begin with a dot too. Off unless given. */
  readonly dotfiles?: boolean | undefined;
}

/**
 * The stage that answers GET and HEAD with the files of a folder (§4.2, D36). It rejects with a 503 `HttpProblem` when
 * the disk fails. All other requests go to the next stage, also for a name that is absent or refused (outside the
 * folder, a dot-file, a pipe, a folder without its slash): a reply does not tell which files exist, and hides no
 * routes.
 */
export function staticFiles(options: StaticFilesOptions): Stage {
  assertOptions('serve static files', options, ['root', 'at', 'index', 'maxAge', 'dotfiles']);
  const { root, at = '/', index = 'index.html', maxAge, dotfiles = false } = options;
  const caching = maxAge === undefined ? 'no-cache' : `public, max-age=${maxAge}`;
  const folder = new Folder(root, { headers: ['Cache-Control', caching] });
  const prefix = prefixSegments(at);

  // Not async: a request that passes by pays for no promise.
  return function staticFiles(context, next) {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next(context);
    const below = pathBelow(context, prefix);
    const name = below && fileName(below, index, dotfiles);
    const found = name === undefined ? undefined : folder.find(name);
    return found === undefined ? next(context) : replyWhenFound(found, context, next);
  };

  async function replyWhenFound(found: Promise<ServedFile | undefined>, context: Context, next: Handler) {
    const file = await found;
    return (file && (await fileReply(context, file, folder.root))) ?? next(context);
  }
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
      try {
        await access(`${root}/.`, constants.R_OK | constants.X_OK);
      } catch (error) {
        const causes: Record<string, string> = { ENOENT: 'there is no such folder', ENOTDIR: 'it is not a folder' };
        const cause = causes[(error as NodeJS.ErrnoException).code!] ?? 'it may not be read';
        throw new Error(`Cannot serve static files from "${root}": ${cause}; name a folder that the service may read`);
      }
    },
  };
}
