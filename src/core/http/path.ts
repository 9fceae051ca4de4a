/**
 * Parses the target of a request: its path, query and host. Only this file and `normal-path.ts` interpret `/` and `%`
 * in a request path.
 *
 * A path is split at `/` first. Then each segment is decoded once. So `%2F` is a slash inside a segment and never
 * separates segments. For the same reason, `/files/..%2fsecret` has no dot segment (D21).
 */
import { isIPv6 } from 'node:net';
import { normalPath } from './normal-path.ts';
import { HttpProblem } from './problem.ts';
import { decoded, sameText } from './text.ts';

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([/?][^#]*)?$/i;
const HOST = /^(?:\[[\da-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;
/** Matches an escape, a character that must be escaped, or a dot after a slash. Such a path must be normalized. */
const SPECIAL = /[^!$&-;=@-Z_a-z~]|\/\./;

/** True for a host, with or without a port, that a Host header or an absolute-form target may name (RFC 9110 §7.2). */
export const isHost = (text: string): boolean =>
  HOST.test(text) && (!text.startsWith('[') || isIPv6(text.slice(1, text.indexOf(']'))));

/** Returns the host and port of an absolute-form target, which replace the Host header (RFC 9112 §3.2.2). */
export const authorityOf = (target: string): string | undefined => ABSOLUTE_FORM.exec(target)?.[1];

/** Returns the query of a target, beginning with `?`; empty if the target has no query. */
export function searchOf(target: string): string {
  const at = target.indexOf('?');
  return at < 0 ? '' : target.slice(at);
}

/**
 * Returns the path of a target, percent-encoded, without dot segments (RFC 9112 §3.2, RFC 3986 §5.2.4). Throws an
 * `HttpProblem` (D9, D21): 404 for `OPTIONS *`; 400 if the target has no path, or has a fragment, a malformed escape,
 * invalid UTF-8 or `%00`.
 */
export function pathOf(target: string, method: string): string {
  if (target.includes('#'))
    throw new HttpProblem(400, 'The request target has a fragment, which no request can have; write "#" as %23');
  if (target.startsWith('/')) {
    const at = target.indexOf('?');
    const path = at < 0 ? target : target.slice(0, at);
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

/** A path as the client sent it, and its decoded segments, without a final empty segment (§4.3 rule 3, D21). */
export interface SentPath {
  readonly path: string;
  readonly segments: readonly string[];
}

export const sentPath = (path: string): SentPath => ({ path, segments: splitPath(path) });

/**
 * Splits a path into decoded segments. A malformed segment stays encoded; its request is refused. `split` would take
 * longer than this loop, because it looks each path up in a cache of V8.
 */
export function splitPath(path: string): string[] {
  const pieces: string[] = [];
  let start = 1;
  for (let end = path.indexOf('/', start); end >= 0; end = path.indexOf('/', start)) {
    pieces.push(path.slice(start, end));
    start = end + 1;
  }
  if (start < path.length) pieces.push(path.slice(start));
  return path.includes('%') ? pieces.map(decodedOrSame) : pieces;
}

const decodedOrSame = (segment: string): string => (segment.includes('%') ? (decoded(segment) ?? segment) : segment);

/** Removes the base path (D16). Returns a path outside the base path unchanged. */
export function withoutBasePath(sent: SentPath, basePath: string): SentPath {
  if (basePath === '') return sent;
  const below = pathBelow(sent, prefixSegments(basePath));
  return below === undefined ? sent : { path: below.path || '/', segments: below.segments };
}

/** Returns the path of a refused target without the base path, still percent-encoded; `/` for a target without one. */
export function pathAsSent(target: string, basePath: string): SentPath {
  const path = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target)?.[1] ?? '/';
  return withoutBasePath(sentPath(path), basePath);
}

/** Returns the decoded segments of a prefix such as `/tools`, for `pathBelow`. */
export const prefixSegments = (prefix: string): readonly string[] =>
  prefix
    .split('/')
    .filter((piece) => piece !== '')
    .map(decodedOrSame);

/**
 * Returns the part of a path, or of a context, below a prefix such as `/tools`; undefined if the path is not below it.
 * The `path` of the result is empty or begins with a slash.
 *
 * The segments are compared decoded and ignoring case, as routes compare them. So a guard below a prefix sees every
 * request that a route there can match. An encoded slash does not separate segments.
 */
export function pathBelow(sent: SentPath, prefix: readonly string[]): SentPath | undefined {
  const depth = prefix.length;
  if (depth === 0) return sent;
  const { path, segments } = sent;
  if (segments.length < depth || !prefix.every((text, at) => sameText(text, segments[at]!))) return undefined;
  const rest = path.split('/').slice(depth + 1);
  return { path: rest.map((piece) => `/${piece}`).join(''), segments: segments.slice(depth) };
}
