/**
 * Finds the file that a path requests. Only regular files below one folder are found.
 *
 * First the name is checked. `/assets/..%2f..%2fetc/passwd` would lead out of the folder, `/.env` to a hidden file, and
 * the backslash of `/a\b` would separate two segments on Windows.
 *
 * Then the file is checked: pipes, devices, and links to files outside the folder are ignored. The file can change
 * between the check and the open call. `openFile` therefore resolves all links, compares whole path segments, checks
 * the file, opens it without following links or blocking on a pipe, and checks the open file again.
 */
import { constants, realpath as realpathOf, type Stats, stat as statOf } from 'node:fs';
import { type FileHandle, open, readlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import type { SentPath } from '../../core/http/path.ts';
import { HttpProblem } from '../../core/http/problem.ts';

/**
 * Returns the file name for a path, with slashes between folders, or undefined if no file can have this name. A path
 * with a trailing slash requests `index.html` in that folder. A segment with an encoded slash is invalid.
 */
export function fileName({ path, segments }: SentPath): string | undefined {
  const name = (path.endsWith('/') ? [...segments, 'index.html'] : segments).join('/');
  return isFileName(name) && !segments.some((segment) => segment.includes('/')) ? name : undefined;
}

/** Returns true if a file with this decoded name, which has slashes between folders, may be served. */
export const isFileName = (name: string): boolean => name !== '' && !INVALID.test(name);

/** Matches a name with an empty segment, a segment that begins with a dot, a backslash or U+0000. */
const INVALID = /(?:^|\/)[./]|[\\\0]/;

const realpath = promisify(realpathOf.native);
const stat = promisify(statOf) as (path: string) => Promise<Stats>;

/** An open file, and its `stat` result at that time. The caller closes the handle. */
export type OpenFile = { readonly handle: FileHandle; readonly stats: Stats };

const MAX_ATTEMPTS = 4;
// Windows lacks both flags. It does not need them, because its folders contain neither pipes nor POSIX links.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Matches the error codes of a file that does not exist, or that this process may not read. */
const ABSENT = /^(?:ENOENT|ENOTDIR|EACCES|EPERM|ELOOP|ENAMETOOLONG|EINVAL|ENXIO|ENODEV|EISDIR|EILSEQ)$/;

/** Resolves to undefined if the file is absent. Follows links. Rejects with a 503 `HttpProblem` if the disk fails. */
export const statIfPresent = (path: string): Promise<Stats | undefined> => stat(path).catch(undefinedIfAbsent);

/**
 * Opens a regular file below `root`. Resolves to undefined if the file is absent, not regular, or outside `root`.
 * Retries if the file is replaced meanwhile. Rejects with a 503 `HttpProblem` if the disk fails.
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

/** Resolves to the real path of an open file. Uses its descriptor on Linux, and resolves links on other systems. */
const pathOf = (handle: FileHandle, path: string): Promise<string> =>
  readlink(`/proc/self/fd/${handle.fd}`).catch(() => realpath(path));
const isBelow = (folder: string, path: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Resolves to the length and the times of an open file, and to its bytes if they are at most `most`. */
export async function contentOf({ handle, stats: { size, mtimeMs, ctimeMs, ino } }: OpenFile, most: number) {
  const bytes = size > most ? undefined : await readBytes(handle, size);
  return { length: bytes?.length ?? size, mtimeMs, ctimeMs, ino, bytes };
}

/** Reads up to `length` bytes. `FileHandle.readFile` does not work in the zip archives of Yarn. */
async function readBytes(handle: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Returns undefined for an absent file. Throws a 503 for other errors, such as too many open files (D10). */
function undefinedIfAbsent(error: unknown): undefined {
  if (ABSENT.test((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw new HttpProblem(503, 'The file cannot be read at the moment', { headers: { 'Retry-After': '1' } });
}
