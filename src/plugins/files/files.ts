/** The entry `todo-item-service/files`: makes replies with files and pages, and serves a folder as a site. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from '../../core/application/plugin.ts';
import type { Context, Handler } from '../../core/http/context.ts';
import { contentTypeOf } from '../../core/http/headers/content-type.ts';
import { API_POLICY, type HeaderLines, withDefaults } from '../../core/http/headers/header-lines.ts';
import { pathBelow, prefixSegments } from '../../core/http/path.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { withHeaders } from '../../core/http/replies.ts';
import type { Reply } from '../../core/http/reply.ts';
import { isUnanswered } from '../../core/http/unanswered.ts';
import { assertOptions, quoted } from '../../core/options/assert-options.ts';
import type { Stage } from '../../core/pipeline/stage.ts';
import { fileName, isFileName, openFile } from './disk-file.ts';
import { downloadDisposition, mediaTypeOf } from './file-headers.ts';
import { fileReply, openFileReply } from './file-reply.ts';
import { Folder } from './folder.ts';

export type { EmbeddedFiles } from './folder.ts';
export { html } from './html.ts';

interface FileOptions {
  /** The folder of the file. The path is then a name below it, with slashes, and may come from a client. */
  readonly root?: string | URL | undefined;
  /** Default: the media type of the file extension. */
  readonly mediaType?: string | undefined;
  /** Makes a browser save the file under this name. */
  readonly downloadAs?: string | undefined;
  /**
   * More headers. They replace default headers with the same names, such as `Cache-Control: no-cache`, with which
   * clients revalidate each time.
   */
  readonly headers?: HeaderLines | undefined;
}

/**
 * Resolves to a reply with a file; a large file is streamed. The reply supports ETag, `Last-Modified`, conditions,
 * ranges and HEAD. Rejects with an `HttpProblem`: 404 if the file does not exist, 412 if a condition fails, 416 if the
 * range is outside the file, 503 if the disk fails. So a handler needs no code for these cases (D75). In an operation,
 * declare the responses with `...fileResponses('application/pdf')`.
 *
 *     route({ path: 'report', handle: ({ context }) => file(context, 'report.pdf', { downloadAs: 'Report.pdf' }) });
 *     route({ path: 'uploads/{name}', handle: ({ context, values }) => file(context, values.name, { root: 'in' }) });
 *
 * Without `root`, the path is trusted, and links may lead to any folder. With `root`, only regular files below it are
 * found; a name is never found if one of its segments begins with a dot. Browsers do not run scripts in files that
 * `file` serves, so serve pages with `staticFiles`.
 */
export async function file(
  context: Context,
  path: string | URL,
  options: FileOptions = {},
): Promise<Reply<200 | 206> | Reply<304>> {
  assertOptions('answer with a file', options, ['root', 'mediaType', 'downloadAs', 'headers']);
  const { mediaType, downloadAs, headers } = options;
  const found = placeOf(path, options.root);
  if (found === undefined) throw absent();
  // The options are checked before the file is opened, because an error would leave the file open.
  const disposition = downloadAs === undefined ? [] : ['Content-Disposition', downloadDisposition(downloadAs)];
  const added = withDefaults(['Cache-Control', 'no-cache', ...disposition, ...API_POLICY], headers);
  const type = mediaType === undefined ? mediaTypeOf(basename(found.name)) : contentTypeOf(mediaType);
  const opened = await openFile(found.root, found.name);
  if (opened === undefined) throw absent();
  const reply = await openFileReply(context, opened, { name: found.name, mediaType: type, headers: [] });
  return withHeaders(reply, added) as Reply<200 | 206>;
}

const absent = (): HttpProblem => new HttpProblem(404, 'The file does not exist');

/** Returns a folder and the name of the file in it, or undefined for a name that is never served. */
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
 * Returns the responses of an operation that returns `file(…)`. Give the media types of all files, or ranges such as
 * `image/*`. A file of another type is a 500.
 *
 *     const handle = ({ context }: { context: Context }) => file(context, 'report.pdf');
 *     operation({ method: 'GET', path: 'report', responses: fileResponses('application/pdf'), handle });
 */
export const fileResponses = (...mediaTypes: readonly [`${string}/${string}`, ...`${string}/${string}`[]]) =>
  ({
    200: { description: 'The file', mediaTypes, headers: etag },
    206: {
      description: 'The part of the file that Range requests',
      mediaTypes,
      headers: { ...etag, ...range('The range of these bytes and the size of the file') },
    },
    304: { description: 'Not modified since the ETag in If-None-Match', headers: etag },
    404: { description: 'The file does not exist' },
    412: { description: 'If-Match does not match the ETag of the file' },
    416: { description: 'The file does not have the part that Range requests', headers: range('The size of the file') },
  }) as const;

interface StaticFilesOptions {
  /** The folder: a path, or a `file:` URL. */
  readonly root: string | URL;
  /** The path prefix; case is ignored. Default: `/`. */
  readonly at?: string | undefined;
  /** `max-age` in seconds. Default: `no-cache`, so that clients revalidate each time. */
  readonly maxAge?: number | undefined;
  /**
   * The files that never change, because a build puts a hash into their names: `assets/*` for all files below `assets`,
   * or `*` for all. Clients keep them for a year and do not revalidate (RFC 8246).
   */
  readonly immutable?: string | undefined;
  /** Media types by file extension, such as `{ gpx: 'application/gpx+xml' }`. They come before the known types. */
  readonly mediaTypes?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns a stage that answers GET and HEAD with the files of a folder (§4.2, D36). All other requests go to the next
 * stage, so the stage hides no routes. This includes requests for absent files, hidden files, pipes, files outside the
 * folder, and folders without a trailing slash, so a client cannot find out which of them exist. Rejects with a 503
 * `HttpProblem` if the disk fails.
 */
export function staticFiles(options: StaticFilesOptions): Stage {
  assertOptions('serve static files', options, ['root', 'at', 'maxAge', 'immutable', 'mediaTypes']);
  const { root, at = '/', maxAge, immutable, mediaTypes } = options;
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw new TypeError(`Cannot serve static files: the option "maxAge" is ${quoted(maxAge)}; give whole seconds`);
  const folderWith = (caching: string): Folder => new Folder(root, { headers: ['Cache-Control', caching], mediaTypes });
  const files = folderWith(maxAge === undefined ? 'no-cache' : `public, max-age=${maxAge}`);
  // A year, after which clients must not keep a file (RFC 9111 §5.2.2.1, RFC 8246).
  const unchanging = folderWith('public, max-age=31536000, immutable');
  const isUnchanging = immutable === undefined ? undefined : inPattern('immutable', immutable);
  const prefix = prefixSegments(at);
  for (const [extension, mediaType] of Object.entries(mediaTypes ?? {}))
    if (!/^[a-z\d]+$/.test(extension) || !/^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/.test(mediaType))
      throw new TypeError(
        `Cannot serve static files: the option "mediaTypes" has ${quoted(extension)}: ${quoted(mediaType)}; give the extension in lower case and without a dot, and a media type`,
      );

  // Not async, because a request that goes to the next stage needs no promise here.
  return function staticFiles(context, next) {
    if (context.method !== 'GET' && context.method !== 'HEAD') return next(context);
    const below = pathBelow(context, prefix);
    const name = below && fileName(below);
    if (name === undefined) return next(context);
    const folder = isUnchanging?.(below!.segments) ? unchanging : files;
    const found = folder.find(name);
    return found === undefined ? next(context) : replyWhenFound(found, folder, context, next);
  };
}

/** Answers with the file, or asks the next stage if there is no file. */
async function replyWhenFound(
  found: ReturnType<Folder['find']>,
  folder: Folder,
  context: Context,
  next: Handler,
): Promise<Reply> {
  const file = await found;
  return (file && (await fileReply(context, file, folder.root))) ?? next(context);
}

/** Returns a stage that answers GET and HEAD with one page if nothing else answers and the path is in the pattern. */
function fallbackPage({ root, at = '/', immutable, fallback }: StaticSiteOptions): Stage {
  assertOptions('serve a site with a fallback', fallback!, ['for', 'file']);
  const { for: pattern, file } = fallback!;
  const isPage = inPattern('fallback.for', pattern);
  const isAsset = immutable === undefined ? () => false : inPattern('immutable', immutable);
  if (isAsset(prefixSegments(pattern.slice(0, -1))))
    throw new TypeError(
      `Cannot serve a site with a fallback for "${pattern}": "${immutable}" is immutable; change one of them`,
    );
  const folder = new Folder(root, { headers: ['Cache-Control', 'no-cache'] });
  const prefix = prefixSegments(at);
  return async function fallbackPage(context, next) {
    const reply = await next(context);
    if (!isUnanswered(reply, context) || (context.method !== 'GET' && context.method !== 'HEAD')) return reply;
    const below = pathBelow(context, prefix);
    if (below === undefined || !isPage(below.segments) || isAsset(below.segments)) return reply;
    return replyWhenFound(folder.find(file), folder, context, () => reply);
  };
}

/** Returns whether the segments of a path are in a pattern such as `assets/*`. Throws a `TypeError` for another text. */
function inPattern(option: string, pattern: string): (segments: readonly string[]) => boolean {
  const [, folder] = /^((?:[^*/]+\/)*)\*$/.exec(pattern) ?? [];
  if (folder === undefined)
    throw new TypeError(
      `Cannot serve static files: the option "${option}" is ${quoted(pattern)}; give "*", or a folder such as "assets/*"`,
    );
  const prefix = prefixSegments(folder);
  return (segments) => pathBelow({ path: '', segments }, prefix) !== undefined;
}

interface StaticSiteOptions extends StaticFilesOptions {
  /**
   * The page of an application that runs in the browser, such as `{ for: 'app/*', file: 'index.html' }`. A GET or HEAD
   * of a path in `for` that nothing else answers gets this file. A path in `immutable` gets a 404 instead.
   */
  readonly fallback?: { readonly for: string; readonly file: string } | undefined;
}

/**
 * Returns a plugin with the stage `staticFiles`. Its start rejects if the folder or the `fallback` does not exist or
 * cannot be read. In the list of plugins, put it after `swaggerPage`, which serves the files of its page with their
 * security policy.
 *
 *     staticSite({ root: 'dist', immutable: 'assets/*', fallback: { for: 'app/*', file: 'index.html' } });
 */
export function staticSite(options: StaticSiteOptions): Plugin {
  assertOptions('serve static files', options, ['root', 'at', 'maxAge', 'immutable', 'mediaTypes', 'fallback']);
  const { fallback, ...files } = options;
  const stage = staticFiles(files);
  return {
    name: 'static-site',
    stages: fallback === undefined ? [stage] : [stage, fallbackPage(options)],
    async start() {
      const root = options.root instanceof URL ? fileURLToPath(options.root) : options.root;
      try {
        await access(`${root}/.`, constants.R_OK | constants.X_OK);
      } catch (error) {
        const causes: Record<string, string> = { ENOENT: 'the folder does not exist', ENOTDIR: 'it is not a folder' };
        const cause = causes[(error as NodeJS.ErrnoException).code!] ?? 'the service may not read it';
        throw new Error(`Cannot serve static files from "${root}": ${cause}; name a folder that the service may read`);
      }
      if (fallback !== undefined && (await new Folder(root, { headers: [] }).find(fallback.file)) === undefined)
        throw new Error(
          `Cannot serve static files from "${root}": it has no file ${quoted(fallback.file)} for the fallback; correct the name`,
        );
    },
  };
}
