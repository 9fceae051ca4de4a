/**
 * Finds the file that a path asks for below one folder, and refuses everything else.
 *
 * First by its characters alone: `/assets/..%2f..%2fetc/passwd` decodes to a name outside the folder, `/.env` to a
 * hidden file, and `/a\b` to two names on Windows.
 *
 * Then on the disk: pipes, devices and links that lead outside are refused. A name can change its meaning between a
 * check and the open call. `openFile` therefore resolves all links and compares whole path segments, checks the file
 * before it opens it, follows no link then, does not block on a pipe, and checks again what it has opened.
 */
import { constants, realpath as realpathOf, type Stats, stat as statOf } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import type { SentPath } from '../../core/message/path.ts';
import { HttpProblem } from '../../core/message/problem.ts';

/**
 * The file name that a path asks for, with slashes between folders; undefined when it names no file. A path with a
 * trailing slash asks for `index` in that folder. No part of a name has a slash, which the path may have encoded.
 */
export function fileName({ path, segments }: SentPath, index: string, dotfiles = false): string | undefined {
  const parts = path.endsWith('/') ? [...segments, index] : segments;
  const name = parts.join('/');
  return isFileName(name, dotfiles) && !segments.some((one) => one.includes('/')) ? name : undefined;
}

/** Can this decoded name, with slashes between folders, be the name of a file that is served? */
export const isFileName = (name: string, dotfiles = false): boolean =>
  name !== '' && !(dotfiles ? INVALID : INVALID_OR_HIDDEN).test(name);

/** An empty segment, `.` or `..`, a backslash or U+0000. */
const INVALID = /(?:^|\/)(?:\/|\.{1,2}(?:\/|$))|[\\\0]/;
/** The same, and every segment that begins with a dot. */
const INVALID_OR_HIDDEN = /(?:^|\/)[./]|[\\\0]/;

const realpath = promisify(realpathOf.native);
const stat = promisify(statOf) as (path: string) => Promise<Stats>;

/** An open file, with its state when it was opened. The caller closes the handle. */
export type OpenFile = { readonly handle: FileHandle; readonly stats: Stats };

const MAX_ATTEMPTS = 4;
// Windows has neither flag, and no pipes or links of this kind in folders.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** The error codes for a file that does not exist or that this process may not read. */
const ABSENT = /^(?:ENOENT|ENOTDIR|EACCES|EPERM|ELOOP|ENAMETOOLONG|EINVAL|ENXIO|ENODEV|EISDIR|EILSEQ)$/;

/** The state of a file, links followed; undefined when absent. Rejects with a 503 `HttpProblem` when the disk fails. */
export const statIfPresent = (path: string): Promise<Stats | undefined> => stat(path).catch(undefinedIfAbsent);

/**
 * Opens a regular file below `root`; undefined for an absent file, for anything but a regular file and for a file
 * outside. A file that is replaced meanwhile is tried again. Rejects as `statIfPresent` does.
 */
export async function openFile(root: string, name: string): Promise<OpenFile | undefined> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const paths = await Promise.all([realpath(root), realpath(`${root}/${name}`)]).catch(undefinedIfAbsent);
    if (paths === undefined || !isBelow(...paths)) return undefined;
    const [folder, path] = paths;
    const before = await statIfPresent(path);
    if (before === undefined) continue;
    if (!before.isFile()) return undefined;
    const handle = await open(path, FLAGS).catch(undefinedIfAbsent);
    if (handle === undefined) return undefined;
    try {
      const stats = await handle.stat();
      const isSame = stats.isFile() && stats.ino === before.ino && stats.dev === before.dev;
      if (isSame && isBelow(folder, await pathOf(handle, path))) return { handle, stats };
    } catch (error) {
      await handle.close();
      return undefinedIfAbsent(error);
    }
    await handle.close();
  }
  return undefined;
}

/** The real path of an open file. Linux knows it by the descriptor; elsewhere the links are resolved once more. */
const pathOf = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));
const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/**
 * The first `length` bytes of an open file; fewer where the file has become shorter. `FileHandle.readFile` knows no file
 * inside of a zip archive, where Yarn keeps this package.
 */
export async function readBytes(handle: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Undefined for an absent file. Any other failure, as of too many open files, is a 503 without the cause (D10). */
function undefinedIfAbsent(error: unknown): undefined {
  if (ABSENT.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw new HttpProblem(503, 'The file cannot be read at the moment', { headers: { 'Retry-After': '1' } });
}
