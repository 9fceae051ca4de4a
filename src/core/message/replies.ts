/** Makes the usual replies, and reads and changes the headers of any reply. */

import { quoted } from '../options/assert-options.ts';
import type { HeaderLines, Reply } from './context.ts';
import { API_POLICY } from './headers/reply-headers.ts';

/** The status, 200 unless given, and further headers. */
export interface ReplyOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A reply of plain text in UTF-8.
 *
 *     const teapot = text('I am a teapot', { status: 418, headers: { 'Cache-Control': 'no-store' } });
 */
export const text = (body: string, options?: ReplyOptions): Reply =>
  withBody(body, 'text/plain; charset=utf-8', options);

/**
 * A reply of a value as JSON (RFC 8259). Throws what `JSON.stringify` throws; undefined, of which it makes nothing, is
 * refused where the reply is checked, which names the maker.
 */
export const json = (value: unknown, options?: ReplyOptions): Reply =>
  withBody(JSON.stringify(value), 'application/json', options);

/** The body of a reply that was made of no text: `replyFault` reports it with its maker. */
export const UNWRITTEN: unique symbol = Symbol('unwritten');

/** A reply without a body, 204 unless a status is given. A 204 and a 304 have no `Content-Length` (RFC 9110 §8.6). */
export function empty(options: ReplyOptions = NO_OPTIONS): Reply {
  if (typeof options !== 'object') throw noOptions(options);
  const { status = 204, headers = {} } = options;
  const length = status === 204 || status === 304 ? [] : ['Content-Length', '0'];
  return { status, headers: [...length, ...API_POLICY, ...flat(headers)] };
}

function withBody(body: string, mediaType: string, options: ReplyOptions = NO_OPTIONS): Reply {
  if (typeof options !== 'object') throw noOptions(options);
  const { status = 200, headers = {} } = options;
  if (typeof body !== 'string') return { status, headers: [], body: UNWRITTEN as never };
  const content = ['Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(body))];
  return { status, headers: [...content, ...API_POLICY, ...flat(headers)], body };
}

const NO_OPTIONS: ReplyOptions = {};
/** A status alone would be ignored. */
const noOptions = (given: unknown): TypeError =>
  new TypeError(`Cannot make a reply with the options ${quoted(given)}: give an object such as { status: 404 }`);

/** The headers as a flat list of names and values. */
export const flat = (headers: HeaderLines): readonly string[] =>
  Array.isArray(headers) ? headers : Object.entries(headers).flat();

/** The value of the first header of this name, in any case; undefined for none. */
export function headerOf(reply: Reply, name: string): string | undefined {
  const lines = flat(reply.headers);
  const wanted = name.toLowerCase();
  for (let at = 0; at < lines.length; at += 2) if (lines[at]!.toLowerCase() === wanted) return lines[at + 1];
  return undefined;
}

/**
 * A copy of the reply with these headers in place of its own of the same names, in any case.
 *
 *     const served: Stage = async (context, next) => withHeaders(await next(context), { 'X-Served-By': 'even' });
 */
export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = flat(reply.headers);
  const kept = lines.filter((_, at) => !replaced.has(lines[at - (at % 2)]!.toLowerCase()));
  return { ...reply, headers: [...kept, ...flat(headers)] };
}
