/**
 * Which name in a folder a request path asks for, judged by its letters alone, before the disk hears of it.
 *
 * `/assets/..%2f..%2fetc/passwd` decodes to a name that climbs out, `/.env` to one that nobody meant to publish, and
 * `/a\b` to two names on some systems. Each piece between the slashes is decoded once (D21), and one that is empty,
 * begins with a dot, or has a slash, a backslash or U+0000 inside names nothing. What lies outside through a link is for
 * `disk-file.ts` to see.
 */

/** A prefix as `pathBelow` wants it: lower case, a slash before each piece and none at the end; empty for the site's root. */
export const prefixOf = (at: string): string =>
  at
    .toLowerCase()
    .split('/')
    .filter((piece) => piece !== '')
    .map((piece) => `/${piece}`)
    .join('');

/** What of the path follows the prefix, matched ignoring case (D36): empty, or from a slash on, still encoded. Undefined: not below it. */
export function pathBelow(path: string, prefix: string): string | undefined {
  if (prefix === '') return path;
  const end = path.indexOf('%') < 0 ? prefix.length : endOfPieces(path, prefix);
  if (path.length < end || (path.length > end && path.charCodeAt(end) !== 47)) return undefined;
  const head = path.slice(0, end);
  return head.toLowerCase() === prefix || decoded(head)?.toLowerCase() === prefix ? path.slice(end) : undefined;
}

/** The name of the file that a path from a slash on asks for, slashes between its pieces; undefined where it can be none. */
export function fileName(path: string, index: string, dotfiles = false): string | undefined {
  const asked = path.charCodeAt(path.length - 1) === 47 ? path.slice(1) + index : path.slice(1);
  const name = asked.indexOf('%') < 0 ? asked : decoded(asked);
  return name === undefined || name === '' || (dotfiles ? UNFIT : UNFIT_OR_HIDDEN).test(name) ? undefined : name;
}

/** An empty piece, one of dots that means another folder, or a letter that is no part of a name. */
const UNFIT = /(?:^|\/)(?:\/|\.{1,2}(?:\/|$))|[\\\0]/;
/** The same, and any piece that begins with a dot. */
const UNFIT_OR_HIDDEN = /(?:^|\/)[./]|[\\\0]/;

/** Where as many pieces end as the prefix has, so that an encoded slash never counts as one between pieces. */
function endOfPieces(path: string, prefix: string): number {
  let end = 0;
  for (let at = 0; at >= 0; at = prefix.indexOf('/', at + 1)) {
    const next = path.indexOf('/', end + 1);
    end = next < 0 ? path.length : next;
  }
  return end;
}

/** The pieces decoded, once; undefined when a decoded piece has a slash in it, or is not UTF-8. */
function decoded(path: string): string | undefined {
  if (/%2f/i.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
