/**
 * Finds the path under which a host has mounted a listener, which every link begins with (D78).
 *
 * Express removes it from `request.url` and gives it as `baseUrl`. Connect and the middleware of Fastify give only the
 * whole target, as `originalUrl`.
 */
import type { IncomingMessage } from 'node:http';
import { isPathPrefix } from '../proxy/trusted-proxy.ts';

type HostedRequest = IncomingMessage & { readonly originalUrl?: unknown; readonly baseUrl?: unknown };

/** The mount path as the client has written it, without a final slash; empty for none. */
export function mountPathOf(request: IncomingMessage): string {
  const { originalUrl, baseUrl, url } = request as HostedRequest;
  if (typeof originalUrl !== 'string' || originalUrl === url) return '';
  const path = typeof baseUrl === 'string' ? baseUrl : pathBefore(originalUrl, url!);
  // A link that began with anything else could lead to another host.
  return isPathPrefix(path) ? path : '';
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
