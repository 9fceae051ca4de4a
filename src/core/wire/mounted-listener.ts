/** A listener as the middleware of a framework: where it is mounted, and what falls through to what is behind (D78). */
import type { IncomingMessage } from 'node:http';
import type { Context } from '../message/context.ts';
import { isBasePath } from '../message/path.ts';
import type { Reply } from '../message/reply.ts';
import { recordOf } from '../message/request-record.ts';
import type { Exchange } from './connection/exchange.ts';
import { pathAsSent } from './parser-events.ts';

/**
 * Is this the 404 of `unanswered`, of a request that has somewhere to go? A stage may add headers to it; with another
 * status or another body it has answered.
 */
export function fallsThrough(reply: Reply | undefined, context: Context): boolean {
  if (reply?.status !== 404 || reply.body === undefined) return false;
  return reply.body === recordOf(context)?.fallThrough?.unansweredBody;
}

/** Does this request lead past the mount path and the base path, so that the framework decides whether it is valid? */
export const isOutside = ({ request, settings }: Exchange): boolean =>
  mountPathOf(request) === '' && pathAsSent(request.url!, settings.basePath) === pathAsSent(request.url!, '');

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
