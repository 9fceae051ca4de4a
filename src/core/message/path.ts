/**
 * Reads the target of a request: its path, query and host. No other file interprets `/` and `%` in a request path.
 *
 * A path is split at `/` first, then each piece is decoded, once. So `%2F` is a slash inside a value and never
 * separates segments, and `/files/..%2fsecret` has no dot segment (D21).
 */
import { isIPv6 } from 'node:net';
import { HttpProblem } from './problem.ts';
import { sameText } from './text.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([/?][^#]*)?$/i;
/** The second form, a name without escapes, is part of the third and only matches faster. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=-]+|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;
/** Matches in a path that must be normalised: an escape, a character that must be escaped, a dot after a slash. */
const SPECIAL = /[^!$&-;=@-Z_a-z~]|\/\./;

/** Is this a host, with or without a port, that a Host header or an absolute-form target may name (RFC 9110 §7.2)? */
export const isHost = (text: string): boolean =>
  HOST.test(text) && (text.charCodeAt(0) !== 91 || isIPv6(text.slice(1, text.indexOf(']'))));

/** Host and port of an absolute-form target, which replace the Host header (RFC 9112 §3.2.2); else undefined. */
export const authorityOf = (target: string): string | undefined => ABSOLUTE_FORM.exec(target)?.[1];

/** The query of a target, beginning with `?`; empty for none. */
export function searchOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}

/**
 * The path of a target, percent-encoded, without dot segments (RFC 9112 §3.2, RFC 3986 §5.2.4). Throws an `HttpProblem`
 * (D9, D21): 400 for no path, a fragment, a malformed escape, invalid UTF-8 or `%00`; 404 for `OPTIONS *`.
 */
export function pathOf(target: string, method: string): string {
  if (target.includes('#'))
    throw new HttpProblem(400, 'The request target has a fragment, which no request can have; write "#" as %23');
  if (target.charCodeAt(0) === 47) {
    const end = target.indexOf('?');
    const path = end < 0 ? target : target.slice(0, end);
    return SPECIAL.test(path) ? normalised(path) : path;
  }
  const absolute = ABSOLUTE_FORM.exec(target);
  if (absolute !== null) {
    if (!isHost(absolute[1]!)) throw new HttpProblem(400, 'The host of the request target is not valid');
    const rest = absolute[2] ?? '';
    return pathOf(rest.startsWith('/') ? rest : `/${rest}`, method);
  }
  if (target === '*' && method === 'OPTIONS')
    throw new HttpProblem(404, 'Nothing answers OPTIONS for the server as a whole');
  throw new HttpProblem(400, 'The request target is neither a path that begins with "/" nor an absolute http URI');
}

function normalised(path: string): string {
  if (/[^\x21-\x7e]/.test(path))
    throw new HttpProblem(400, 'The request path contains a character that must be percent-encoded');
  if (path.includes('%')) assertDecodable(path);
  return withoutDotSegments(path);
}

function assertDecodable(path: string): void {
  const text = decoded(path);
  if (text === undefined)
    throw new HttpProblem(400, 'The request path contains a percent escape that is malformed or not UTF-8');
  if (text.includes('\0')) throw new HttpProblem(400, 'The request path contains the character U+0000');
}

/** RFC 3986 §5.2.4; a dot may be written as `%2e` (D21). */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const pieces = path.slice(1).split('/');
  for (const [index, piece] of pieces.entries()) {
    const dots = /^(?:\.|%2e){1,2}$/i.test(piece) ? piece.replace(/%2e/gi, '.').length : 0;
    if (dots === 0) kept.push(piece);
    else {
      if (dots === 2) kept.pop();
      if (index === pieces.length - 1) kept.push('');
    }
  }
  return `/${kept.join('/')}`;
}

/** The decoded segments of a path that `pathOf` returned, without one final empty piece (§4.3 rule 3). */
export function splitPath(path: string): string[] {
  const pieces = path.slice(1).split('/');
  if (pieces.at(-1) === '') pieces.pop();
  return path.indexOf('%') < 0 ? pieces : pieces.map(decodeURIComponent);
}

const BASE_PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)*$/i;

/**
 * Can this stand in front of all paths, and of all links: segments of RFC 3986 without empty ones and dots, no final
 * slash, escapes that are UTF-8 without U+0000? A link that began with two slashes would lead to another host.
 */
export const isBasePath = (text: string): boolean =>
  BASE_PATH.test(text) && (!text.includes('%') || decoded(text)?.includes('\0') === false);

/** The path behind the base path; unchanged for a path that is not below it (D16). */
export const withoutBasePath = (path: string, basePath: string): string =>
  basePath === '' || basePath === '/' ? path : (pathBelow(path, basePath) ?? path) || '/';

/**
 * The part of a path behind a prefix without a final slash, still encoded: empty or from a slash on. Undefined for a
 * path that is not below it. Segments are compared decoded and without regard to case, as routes compare them: a guard
 * below a prefix sees every request that a route there takes. An encoded slash separates no segments.
 */
export function pathBelow(path: string, prefix: string): string | undefined {
  if (path.includes('%') || prefix.includes('%')) return encodedPathBelow(path.split('/'), prefix.split('/'));
  const rest = path.slice(prefix.length);
  const isBelow = (rest === '' || rest.startsWith('/')) && sameText(path.slice(0, prefix.length), prefix);
  return isBelow ? rest : undefined;
}

function encodedPathBelow(segments: readonly string[], prefix: readonly string[]): string | undefined {
  const readable = (segment: string): string => decoded(segment) ?? segment;
  const isBelow =
    segments.length >= prefix.length &&
    prefix.every((segment, at) => sameText(readable(segments[at]!), readable(segment)));
  return isBelow
    ? segments
        .slice(prefix.length)
        .map((segment) => `/${segment}`)
        .join('')
    : undefined;
}

/** Without percent escapes; undefined where one is malformed or not UTF-8. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
