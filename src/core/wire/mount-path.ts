/** What stands in front of all paths: a base path, and where a framework has mounted a listener (D78). */
import type { IncomingMessage } from 'node:http';
import { decoded } from '../message/normal-path.ts';

const BASE_PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})+)*$/i;

/**
 * Can this stand in front of all paths, and of all links: segments of RFC 3986 without empty ones and dots, no final
 * slash, escapes that are UTF-8 without U+0000? A link that began with two slashes would lead to another host.
 */
export const isBasePath = (text: string): boolean =>
  BASE_PATH.test(text) && (!text.includes('%') || decoded(text)?.includes('\0') === false);

/**
 * The mount path as the client has written it, without a final slash; empty for none. Express gives it as `baseUrl`,
 * Connect and the middleware of Fastify only the whole target, as `originalUrl`.
 */
export function mountPathOf(request: IncomingMessage): string {
  const { originalUrl, baseUrl, url }: IncomingMessage & { originalUrl?: unknown; baseUrl?: unknown } = request;
  if (typeof originalUrl !== 'string' || originalUrl === url) return '';
  const path = typeof baseUrl === 'string' ? baseUrl : pathBefore(originalUrl, url!);
  // A link that began with anything else could lead to another host.
  return isBasePath(path) ? path : '';
}

/** What `original` has in front of `rest`; empty where the one does not end with the other. */
function pathBefore(original: string, rest: string): string {
  const whole = withoutOriginAndQuery(original);
  const path = withoutOriginAndQuery(rest);
  if (whole.endsWith(path)) return whole.slice(0, whole.length - path.length);
  // A request for the mount path itself.
  return path === '/' ? whole : '';
}

const withoutOriginAndQuery = (target: string): string => target.replace(/^https?:\/\/[^/?#]*|[?#].*$/gi, '');
