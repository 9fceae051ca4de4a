/**
 * Maps a request path to a file name, by its characters alone and without the disk.
 *
 * `/assets/..%2f..%2fetc/passwd` decodes to a name outside the folder, `/.env` to a hidden file, and `/a\b` to two
 * names on Windows. Each path segment is decoded once (D21). A segment that is empty, begins with a dot, or contains a
 * slash, a backslash or U+0000 names no file. `disk-file.ts` refuses links that lead outside.
 */
import { decoded } from '../../http.ts';

/** The prefix as `pathBelow` takes it: lower case, one slash before each segment, none at the end; empty for `/`. */
export const prefixOf = (at: string): string => `/${at.toLowerCase()}`.replace(/\/+/g, '/').replace(/\/$/, '');

/**
 * The part of the path behind the prefix, still encoded: empty or from a slash on. Undefined for another prefix.
 * Ignores case (D36).
 */
export function pathBelow(path: string, prefix: string): string | undefined {
  if (prefix === '') return path;
  const end = path.indexOf('%') < 0 ? prefix.length : endOfSegments(path, prefix);
  if (path.length < end || (path.length > end && path.charCodeAt(end) !== 47)) return undefined;
  const head = path.slice(0, end);
  return head.toLowerCase() === prefix || decodedName(head)?.toLowerCase() === prefix ? path.slice(end) : undefined;
}

/**
 * The file name that a path with a leading slash asks for, with slashes between folders; undefined when it names no
 * file. A path with a trailing slash asks for `index` in that folder.
 */
export function fileName(path: string, index: string, dotfiles = false): string | undefined {
  const asked = path.charCodeAt(path.length - 1) === 47 ? path.slice(1) + index : path.slice(1);
  const name = asked.indexOf('%') < 0 ? asked : decodedName(asked);
  return name !== undefined && isFileName(name, dotfiles) ? name : undefined;
}

/** Can this decoded name, with slashes between folders, be the name of a file that is served? */
export const isFileName = (name: string, dotfiles = false): boolean =>
  name !== '' && !(dotfiles ? INVALID : INVALID_OR_HIDDEN).test(name);

/** An empty segment, `.` or `..`, a backslash or U+0000. */
const INVALID = /(?:^|\/)(?:\/|\.{1,2}(?:\/|$))|[\\\0]/;
/** The same, and every segment that begins with a dot. */
const INVALID_OR_HIDDEN = /(?:^|\/)[./]|[\\\0]/;

/** The end of as many segments of the path as the prefix has. An encoded slash does not separate segments. */
function endOfSegments(path: string, prefix: string): number {
  let end = 0;
  for (let at = 0; at >= 0; at = prefix.indexOf('/', at + 1)) {
    const next = path.indexOf('/', end + 1);
    end = next < 0 ? path.length : next;
  }
  return end;
}

/** The path, decoded once; undefined when it has an encoded slash or is not UTF-8. */
const decodedName = (path: string): string | undefined => (/%2f/i.test(path) ? undefined : decoded(path));
