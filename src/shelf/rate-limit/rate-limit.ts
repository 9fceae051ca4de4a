/**
 * Limits the number of requests of each client in a time window (D79). Further requests are refused with 429 and
 * `Retry-After`. The header `RateLimit` of a reply contains the number of remaining requests
 * (draft-ietf-httpapi-ratelimit-headers-11). A request that the service refuses before any stage, for example because
 * its path is malformed, is not counted (D79).
 *
 * The window of a client begins with its first request and has a fixed length. The headers are therefore exact, and the
 * windows of all clients do not end at the same time. The disadvantage: within a short time around the end of its
 * window, a client can send twice the limit.
 */

import { createHash } from 'node:crypto';
import { assertOptions } from '../../extending.ts';
import { answering, type Context, HttpProblem, headerOf, type Stage, withHeaders } from '../../index.ts';
import { networkOf } from './network.ts';

/** Options of `rateLimit`. */
interface RateLimitOptions {
  /** The maximum number of requests of one client in one window. */
  readonly limit: number;
  /** The length of a window in milliseconds. The headers show seconds, rounded up. */
  readonly window: number;
  /**
   * Returns the key that identifies the client, or undefined for a client without a limit. Default: the IPv4 address,
   * or the first 64 bits of the IPv6 address, behind the trusted proxies of the application. Clients without an
   * address, for example on a Unix socket, share one limit (D79).
   */
  readonly keyOf?: ((context: Context) => string | undefined) | undefined;
  /**
   * The maximum number of clients in memory. If there are more, the oldest window is deleted, so no client is refused
   * for lack of room (D79). Default: 10,000.
   */
  readonly maxKeys?: number | undefined;
  /** Returns a time in milliseconds that never goes back. Default: the time since the start of the process. */
  readonly now?: (() => number) | undefined;
  /** The name of the limit in the headers, for an application with several limits. Default: `default`. */
  readonly name?: string | undefined;
}

const text = (description: string) => ({ type: 'string', description, always: true }) as const;
const headers = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next attempt', always: true },
  'RateLimit-Policy': text('How many requests are answered in how many seconds'),
  RateLimit: text('How many of them are left, and for how many seconds'),
} as const;

/**
 * Returns a plugin that limits all requests that reach its stage. To limit only one operation or controller, do not add
 * the plugin to the application. Use its stage in the declaration instead: `stages: limit.stages`. Operations with the
 * same limit share one count. Applications and mounts with the same plugin share it too. A 500, and the 503 for a slow
 * handler, do not have the headers, because they are made outside of the stage (D79). Throws a `RangeError` if a number
 * is not whole or not above 0. Throws a `TypeError` for an invalid name or an unknown option.
 *
 *     application([rateLimit({ limit: 100, window: 60_000 }), todo()]);
 */
export function rateLimit(options: RateLimitOptions) {
  assertOptions('limit requests', options, ['limit', 'window', 'keyOf', 'maxKeys', 'now', 'name']);
  const { limit, window, maxKeys = 10_000, name = 'default', now = () => performance.now() } = options;
  const { keyOf = ({ remoteAddress = '' }) => networkOf(remoteAddress) } = options;
  for (const [option, value] of Object.entries({ limit, window, maxKeys }))
    if (!(Number.isInteger(value) && value > 0 && value < 1e15))
      throw new RangeError(`Cannot limit requests with the ${option} ${value}: give a whole number above 0`);
  if (!/^[\w -]+$/.test(name))
    throw new TypeError(`Cannot name a limit "${name}": use letters, digits, spaces, - or _`);
  // All windows have the same length, so they end in the order in which the map contains them.
  const windows = new Map<string, { left: number; readonly end: number }>();

  function windowOf(key: string, time: number) {
    const current = windows.get(key);
    if (current !== undefined && current.end > time) return current;
    windows.delete(key);
    for (const [oldest, { end }] of windows) {
      if (end > time && windows.size < maxKeys) break;
      windows.delete(oldest);
    }
    const next = { left: limit, end: time + window };
    windows.set(key, next);
    return next;
  }

  const rateLimit: Stage = async (context, next) => {
    const key = keyOf(context);
    if (key === undefined) return next(context);
    if (typeof key !== 'string')
      throw new TypeError('Cannot limit a request: keyOf did not return a text; return a text, or undefined');
    const time = now();
    // The map contains digests, because the client may choose the key and make it long.
    const current = windowOf(createHash('sha256').update(key).digest('base64'), time);
    const isRefused = current.left === 0;
    const left = isRefused ? 0 : --current.left;
    const seconds = Math.ceil((current.end - time) / 1000);
    // Both headers are lists. If a later stage has another limit, that limit follows this one.
    const listed = (item: string, others: string | undefined): string => (others ? `${item}, ${others}` : item);
    const fields = (others: (header: string) => string | undefined) => ({
      'RateLimit-Policy': listed(`"${name}";q=${limit};w=${Math.ceil(window / 1000)}`, others('RateLimit-Policy')),
      RateLimit: listed(`"${name}";r=${left};t=${seconds}`, others('RateLimit')),
    });
    try {
      if (isRefused) {
        const detail = `Too many requests, the limit is ${limit} in ${window / 1000} s; send the next in ${seconds} s`;
        throw new HttpProblem(429, detail, { headers: { 'Retry-After': String(seconds) } });
      }
      const reply = await next(context);
      return withHeaders(
        reply,
        fields((header) => headerOf(reply, header)),
      );
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      const { status, message, extra } = error;
      const added = fields((header) => extra.headers?.[header]);
      throw new HttpProblem(status, message, { ...extra, headers: { ...extra.headers, ...added } });
    }
  };

  const plugin = name === 'default' ? 'rate-limit' : `rate-limit ${name}`;
  const stage = answering(rateLimit, { 429: { description: 'The client has sent too many requests', headers } });
  return { name: plugin, stages: [stage] };
}
