/** Files as replies, and a folder as a site: `todo-item-service/files`. */
import { basename, parse, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { assertOptions, flat } from '../../extending.ts';
import {
  API_POLICY,
  contentTypeOf,
  downloadDisposition,
  mediaTypeOf,
  type PlainReply,
  plainHeaders,
} from '../../http.ts';
import { type Context, HttpProblem } from '../../index.ts';
import { openFile } from './disk-file.ts';
import { isFileName } from './file-name.ts';
import { openFileReply } from './file-reply.ts';

export { type EmbeddedFiles, EmbeddedFolder } from './embedded-folder.ts';
export { fileName, isFileName, pathBelow, prefixOf } from './file-name.ts';
export { fileReply, type ServedFile, variant } from './file-reply.ts';
export { Folder } from './folder.ts';
export { type StaticFilesOptions, staticFiles, staticSite } from './static-files.ts';

/** How a file is answered. */
interface FileOptions {
  /** The folder that the file is in. The path is then a name below it, with slashes, and may come from a client. */
  readonly root?: string | URL;
  /** That of the extension of the name unless given. */
  readonly mediaType?: string;
  /** Makes a browser save the file under this name. */
  readonly downloadAs?: string;
  /** `no-cache` unless given: clients ask each time, and are told when they have it. */
  readonly cacheControl?: string;
  /** Further headers, which replace others of the same names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A reply with a file, read as the client takes it: with a tag, a date, conditions and ranges, also for HEAD. Rejects
 * with an `HttpProblem`: 404 for no such file, 412 and 416 for conditions and ranges that it does not meet, 503 when
 * the disk fails; with a `TypeError` for an unknown option. An operation declares them with
 * `...fileResponses('application/pdf')`.
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
): Promise<PlainReply<200 | 206, Readable> | PlainReply<304, never>> {
  assertOptions('answer with a file', options, ['root', 'mediaType', 'downloadAs', 'cacheControl', 'headers']);
  const { mediaType, downloadAs, cacheControl = 'no-cache', headers } = options;
  const found = placeOf(path, options.root);
  if (found === undefined) throw absent();
  // Before the file is open: what is wrong with an option must not leave it so.
  const disposition = downloadAs === undefined ? [] : ['Content-Disposition', downloadDisposition(downloadAs)];
  const own = plainHeaders(['Cache-Control', cacheControl, ...disposition, ...API_POLICY], headers);
  const type = mediaType === undefined ? mediaTypeOf(basename(found.name)) : contentTypeOf(mediaType);
  const opened = await openFile(found.root, found.name);
  if (opened === undefined) throw absent();
  const reply = await openFileReply(context, opened, { name: found.name, mediaType: type, headers: [] });
  if (reply instanceof HttpProblem) throw reply;
  const made = { status: reply.status, headers: plainHeaders(flat(reply.headers), own) };
  // An empty file, and a reply to HEAD.
  const body = reply.status === 304 ? undefined : (reply.body ?? Readable.from([]));
  return (body === undefined ? made : { ...made, body }) as PlainReply<200 | 206, Readable>;
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
  ETag: { type: 'string', description: 'Names this state of the file; send it in If-None-Match', always: true },
} as const;
const range = (description: string) => ({ 'Content-Range': { type: 'string', description, always: true } }) as const;

/**
 * Every status of `file`, to be spread into the `responses` of an operation.
 *
 *     operation({
 *       method: 'GET',
 *       path: 'report',
 *       responses: { ...fileResponses('application/pdf') },
 *       handle: ({ context }) => file(context, 'report.pdf'),
 *     });
 */
export const fileResponses = <const MediaType extends string>(mediaType: MediaType) =>
  ({
    200: { description: 'The file', mediaType, headers: etag },
    206: {
      description: 'The part of the file that Range asks for',
      mediaType,
      headers: { ...etag, ...range('Which bytes these are, and how many there are') },
    },
    304: { description: 'If it is what If-None-Match names', headers: etag },
    404: { description: 'If there is no such file' },
    412: { description: 'If it is not what If-Match names' },
    416: {
      description: 'If the file has no such part',
      headers: range('How many bytes there are'),
    },
  }) as const;
