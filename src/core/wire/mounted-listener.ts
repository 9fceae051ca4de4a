/** A listener as the middleware of a framework: where it is mounted, and what falls through to what is behind (D78). */
import type { IncomingMessage } from 'node:http';
import type { Context } from '../message/context.ts';
import { isBasePath } from '../message/normal-path.ts';
import { pathAsSent } from '../message/path.ts';
import type { Reply } from '../message/reply.ts';
import { isUnanswered } from '../message/unanswered.ts';
import { type Exchange, exchangeOf } from './connection/exchange.ts';

/** Is this the 404 that nothing answers, while a framework is mounted behind? */
export function fallsThrough(reply: Reply | undefined, context: Context): boolean {
  return exchangeOf(context)?.next !== undefined && isUnanswered(reply, context);
}

/** Gives the request to the framework as it is: no handler may read its body from now on. */
export function passOn(exchange: Exchange, finish: (exchange: Exchange) => void): void {
  const { next } = exchange;
  exchange.replyStarted = true;
  finish(exchange);
  next!();
}

/** Does this request lead past the mount path and the base path, so that the framework decides whether it is valid? */
export const isOutside = (exchange: Exchange): boolean => {
  const { request, settings } = exchange;
  if (exchange.next === undefined || mountPathOf(request) !== '') return false;
  return pathAsSent(request.url!, settings.basePath).path === pathAsSent(request.url!, '').path;
};

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
