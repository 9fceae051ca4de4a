/**
 * Limits how many requests a client sends in a time (D79): one too many is refused with 429 and `Retry-After`, and
 * every reply but a 500 tells in `RateLimit` how many are left (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * The window of a client begins with its first request, so that not all clients come back at once, and ends after a
 * fixed time. What the headers say is then exact. The price: around its end, a client can send twice the limit.
 */
import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Context } from '../../core/message/context.ts';
import { HttpProblem } from '../../core/message/problem.ts';
import { headerOf, withHeaders } from '../../core/message/replies.ts';
import { assertOptions } from '../../core/options/assert-options.ts';
import { type Stage, settled } from '../../core/pipeline/stage.ts';
import { withoutMapping } from '../../core/wire/trusted-proxy.ts';
import { addedResponses } from '../../operations/operations.ts';

/** How many requests, in which time, and whose. */
export interface RateLimitOptions {
  /** Requests of one client in one window. */
  readonly limit: number;
  /** The length of a window in milliseconds. The headers have seconds, rounded up. */
  readonly window: number;
  /** Names the client; undefined for a request without limit. Default: the address, of IPv6 the first 64 bits. */
  readonly keyOf?: ((context: Context) => string | undefined) | undefined;
  /** The address of the client; what the trusted proxies of the application tell unless given. */
  readonly remoteAddress?: ((context: Context) => string | undefined) | undefined;
  /** Clients that are remembered; 10,000 unless given. One more, and the window that ends first is forgotten. */
  readonly maxKeys?: number | undefined;
  /** The time in milliseconds. Default: since the start of the process. */
  readonly now?: (() => number) | undefined;
  /** Names the limit in the headers, for an application with several; `default` unless given. */
  readonly name?: string | undefined;
}

const text = (description: string) => ({ type: 'string', description, always: true }) as const;
const headers = {
  'Retry-After': { type: 'integer', description: 'Seconds to wait before the next attempt', always: true },
  'RateLimit-Policy': text('How many requests are answered in how many seconds'),
  RateLimit: text('How many of them are left, and for how many seconds'),
} as const;

/**
 * The plugin, which limits all requests that reach its stage. Its members limit one operation or controller in place of
 * all: `stages: limit.stages` and `responses: { 200: …, ...limit.answers }`. Those that share a limit count together.
 * Throws a `RangeError` for an option that is no whole number above 0, and a `TypeError` for a name that is no word or
 * for an option that means nothing.
 *
 *     application([rateLimit({ limit: 100, window: 60_000 }), todo()]);
 */
export function rateLimit(options: RateLimitOptions) {
  const known = ['limit', 'window', 'keyOf', 'remoteAddress', 'maxKeys', 'now', 'name'] as const;
  assertOptions('limit requests', options, known);
  const { limit, window, maxKeys = 10_000, name = 'default', now = () => performance.now() } = options;
  const { remoteAddress = (context) => context.remoteAddress } = options;
  const { keyOf = (context) => networkOf(remoteAddress(context) ?? '') } = options;
  for (const [option, value] of Object.entries({ limit, window, maxKeys }))
    if (!(Number.isInteger(value) && value > 0 && value < 1e15))
      throw new RangeError(`Cannot limit requests with the ${option} ${value}: give a whole number above 0`);
  if (!/^[\w -]+$/.test(name)) throw new TypeError(`Cannot name a limit "${name}": use letters, digits, - and _`);
  // All windows are equally long, so the map has them in the order in which they end.
  const windows = new Map<string, { left: number; readonly end: number }>();

  function windowOf(key: string, time: number) {
    const current = windows.get(key);
    // A clock that was set back must not make a window longer.
    if (current !== undefined && current.end > time && current.end <= time + window) return current;
    windows.delete(key);
    for (const [oldest, { end }] of windows) {
      if (end > time && windows.size < maxKeys) break;
      windows.delete(oldest);
    }
    const next = { left: limit, end: time + window };
    windows.set(key, next);
    return next;
  }

  const rateLimit: Stage = (context, next) => {
    const key = keyOf(context);
    if (key === undefined) return next(context);
    if (typeof key !== 'string')
      throw new TypeError('Cannot limit a request: keyOf returned no text; return one at once, undefined for no limit');
    const time = now();
    // A key may be a long text that the client chooses: its digest is short.
    const current = windowOf(createHash('sha256').update(key).digest('base64'), time);
    const isRefused = current.left === 0;
    const left = isRefused ? 0 : --current.left;
    const seconds = Math.ceil((current.end - time) / 1000);
    // Both are lists: a limit that a later stage applies stands behind this one.
    const listed = (item: string, others: string | undefined): string => (others ? `${item}, ${others}` : item);
    const fields = (others: (header: string) => string | undefined) => ({
      'RateLimit-Policy': listed(`"${name}";q=${limit};w=${Math.ceil(window / 1000)}`, others('RateLimit-Policy')),
      RateLimit: listed(`"${name}";r=${left};t=${seconds}`, others('RateLimit')),
    });
    return settled(
      () => {
        if (!isRefused) return next(context);
        const detail = `Too many requests, the limit is ${limit} in ${window / 1000} s; send the next in ${seconds} s`;
        throw new HttpProblem(429, detail, { headers: { 'Retry-After': String(seconds) } });
      },
      (reply) => {
        const added = fields((header) => headerOf(reply, header));
        return withHeaders(reply, added);
      },
      (error) => {
        if (!(error instanceof HttpProblem)) throw error;
        const { status, message, extra } = error;
        const added = fields((header) => extra.headers?.[header]);
        throw new HttpProblem(status, message, { ...extra, headers: { ...extra.headers, ...added } });
      },
    );
  };

  const answers = { 429: { description: 'The client has sent too many requests', headers } } as const;
  const plugin = name === 'default' ? 'rate-limit' : `rate-limit ${name}`;
  return { name: plugin, stages: [rateLimit], offers: [addedResponses.of(answers)], answers };
}

/**
 * The part of an address that its client cannot choose, for what is counted by client: `2001:db8:0:7` for
 * `2001:db8:0:7::1`, since one IPv6 client has a network of at least 64 bits and may take a new address for each
 * request (RFC 6177 §2, RFC 8981); `192.0.2.1` also for `::ffff:192.0.2.1` in any spelling. A text that is not an
 * address stays as it is.
 */
export function networkOf(address: string): string {
  const [plain = ''] = withoutMapping(address).split('%');
  if (!isIPv6(plain)) return plain;
  // In one spelling: lower case, no leading zeros, no dots.
  const [before = '', behind = ''] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const [first, last] = [before, behind].map((text) => (text === '' ? [] : text.split(':'))) as [string[], string[]];
  const zeros = new Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
