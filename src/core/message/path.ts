/**
 * Reads the target of a request: its path, query and host. Only this file and `normal-path.ts` interpret `/` and `%` in
 * a request path.
 *
 * A path is split at `/` first, then each piece is decoded, once. So `%2F` is a slash inside a value and never
 * separates segments, and `/files/..%2fsecret` has no dot segment (D21).
 */
import { isIPv6 } from 'node:net';
import { decoded, normalPath } from './normal-path.ts';
import { HttpProblem } from './problem.ts';
import { sameText } from './text.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([/?][^#]*)?$/i;
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;
/** Matches in a path that must be normalised: an escape, a character that must be escaped, a dot after a slash. */
const SPECIAL = /[^!$&-;=@-Z_a-z~]|\/\./;

/** Is this a host, with or without a port, that a Host header or an absolute-form target may name (RFC 9110 §7.2)? */
export const isHost = (text: string): boolean =>
  HOST.test(text) && (!text.startsWith('[') || isIPv6(text.slice(1, text.indexOf(']'))));

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
  if (target.startsWith('/')) {
    const path = target.slice(0, target.length - searchOf(target).length);
    return SPECIAL.test(path) ? normalPath(path) : path;
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

/** A path as it was sent, and its decoded segments, without one final empty piece (§4.3 rule 3, D21). */
export interface SentPath {
  readonly path: string;
  readonly segments: readonly string[];
}

export const sentPath = (path: string): SentPath => ({ path, segments: splitPath(path) });

/** The segments of a path. One that cannot be decoded, in a path that is refused, stays as it is. */
export function splitPath(path: string): string[] {
  const pieces = path.slice(1).split('/');
  if (pieces.at(-1) === '') pieces.pop();
  return path.includes('%') ? pieces.map(readable) : pieces;
}

const readable = (segment: string): string => (segment.includes('%') ? (decoded(segment) ?? segment) : segment);

/** The path behind the base path; the same for a path that is not below it (D16). */
export function withoutBasePath(sent: SentPath, basePath: string): SentPath {
  if (basePath === '') return sent;
  const below = pathBelow(sent, prefixSegments(basePath));
  return below === undefined ? sent : { path: below.path || '/', segments: below.segments };
}

/** The path of a target that begins with a slash or is an absolute URI; undefined for any other target. */
export function pathIn(target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  if (path.startsWith('/')) return /^[^?#]*/.exec(path)![0];
  return path.length < target.length ? '/' : undefined;
}

/** The path behind the base path, percent-encoded as it is, for a target that was refused. */
export const pathAsSent = (target: string, basePath: string): SentPath =>
  withoutBasePath(sentPath(pathIn(target) ?? '/'), basePath);

/** The decoded segments of a prefix such as `/tools`, for `pathBelow`. */
export const prefixSegments = (prefix: string): readonly string[] =>
  prefix
    .split('/')
    .filter((piece) => piece !== '')
    .map(readable);

/**
 * What a path has below a prefix such as `/tools`; a context is such a path. The `path` of the result is empty or
 * begins with a slash. Undefined for a path that is not below the prefix. No other function decides this: segments are
 * compared decoded and without regard to case, as routes compare them, so a guard below a prefix sees every request
 * that a route there takes. An encoded slash does not separate segments.
 */
export function pathBelow(sent: SentPath, prefix: readonly string[]): SentPath | undefined {
  const depth = prefix.length;
  if (depth === 0) return sent;
  const { path, segments } = sent;
  if (segments.length < depth || !prefix.every((text, at) => sameText(text, segments[at]!))) return undefined;
  const rest = path.split('/').slice(depth + 1);
  return { path: rest.map((piece) => `/${piece}`).join(''), segments: segments.slice(depth) };
}
