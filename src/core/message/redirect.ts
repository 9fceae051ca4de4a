/** Makes a reply that sends the client to another URI (RFC 9110 §15.4). */

import { assertOptions, quoted } from '../options/assert-options.ts';
import { API_POLICY } from './headers/reply-headers.ts';
import { type PlainReply, plainHeaders } from './plain-reply.ts';
import type { ReplyOptions } from './replies.ts';

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/**
 * A reply that sends the client to another URI, 302 unless a status is given. 303 is for the result of a POST, 307 and
 * 308 keep method and body, 301 and 308 are for ever. An operation declares the status and its `Location`.
 *
 *     route({ path: 'old', handle: ({ link }) => redirect(link('new') ?? '/', 308) });
 *
 * Throws a `TypeError` for a location that is no URI reference in ASCII, a `RangeError` for another status. What a
 * client sent can lead to another site, as `//evil.example` does: check it first. No link leads to one.
 */
export function redirect(
  location: string,
  status?: undefined,
  options?: Pick<ReplyOptions, 'headers'>,
): PlainReply<302, never>;
export function redirect<const Status extends 301 | 302 | 303 | 307 | 308>(
  location: string,
  status: Status,
  options?: Pick<ReplyOptions, 'headers'>,
): PlainReply<Status, never>;
export function redirect(
  location: string,
  status = 302,
  options: Pick<ReplyOptions, 'headers'> = {},
): PlainReply<number, never> {
  assertOptions('redirect', options, ['headers']);
  if (typeof location !== 'string' || !/^[!-[\]-~]+$/.test(location))
    throw new TypeError(
      `Cannot redirect to ${quoted(location)}: it is empty or has a character that no URI has; encode it, with ` +
        'encodeURIComponent or as new URL(…).href',
    );
  if (!REDIRECTS.includes(status))
    throw new RangeError(`Cannot redirect with the status ${quoted(status)}; give one of ${REDIRECTS.join(', ')}`);
  return { status, headers: plainHeaders(['Location', location, ...API_POLICY], options.headers) };
}
