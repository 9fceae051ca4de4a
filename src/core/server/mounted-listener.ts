/** Runs a listener as the middleware of a framework: finds the mount path, and passes unanswered requests on (D78). */
import type { IncomingMessage } from 'node:http';
import type { Context } from '../http/context.ts';
import { isBasePath } from '../http/normal-path.ts';
import { pathAsSent } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import { isUnanswered } from '../http/unanswered.ts';
import type { Exchange } from './connection/connection.ts';
import { exchangeOf } from './request-context.ts';

/** True if a framework has mounted the listener and this is the 404 of `unanswered`. The framework then answers. */
export function fallsThrough(reply: Reply | undefined, context: Context): boolean {
  return exchangeOf(context)?.next !== undefined && isUnanswered(reply, context);
}

/** True if the request is outside the mount path and the base path. The framework then decides whether it is valid. */
export const isOutside = ({ request, settings, next }: Exchange): boolean => {
  if (next === undefined || mountPathOf(request) !== '') return false;
  return pathAsSent(request.url!, settings.basePath).path === pathAsSent(request.url!, '').path;
};

/**
 * Returns the mount path as the client sent it, without a final slash; empty if the listener is not mounted. Express
 * sets it as `baseUrl`. Connect and Fastify set only the whole target, as `originalUrl`.
 */
export function mountPathOf(request: IncomingMessage): string {
  const { originalUrl, baseUrl, url }: IncomingMessage & { originalUrl?: unknown; baseUrl?: unknown } = request;
  if (typeof originalUrl !== 'string' || originalUrl === url) return '';
  const path = typeof baseUrl === 'string' ? baseUrl : pathBefore(originalUrl, url!);
  // Every link begins with the mount path, so an invalid mount path could make links lead to another host.
  return isBasePath(path) ? path : '';
}

/** Returns the part of `original` before `rest`; empty if `original` does not end with `rest`. */
function pathBefore(original: string, rest: string): string {
  const whole = withoutOriginAndQuery(original);
  const path = withoutOriginAndQuery(rest);
  if (whole.endsWith(path)) return whole.slice(0, whole.length - path.length);
  // The client requested the mount path itself, so `rest` is only "/".
  return path === '/' ? whole : '';
}

const withoutOriginAndQuery = (target: string): string => target.replace(/^https?:\/\/[^/?#]*|[?#].*$/gi, '');
