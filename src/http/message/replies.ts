/** Makers of the usual replies, and two readers of their header lines. */
import type { HeaderLines, Reply } from './context.ts';
import { API_POLICY } from './security-headers.ts';

/** What may be said of a reply beside its body. `status` is 200 unless given. */
export interface ReplyOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Plain text, UTF-8. */
export const text = (body: string, options?: ReplyOptions): Reply =>
  withBody(body, 'text/plain; charset=utf-8', options);

/** A value as JSON (RFC 8259). Throws what `JSON.stringify` throws. */
export const json = (value: unknown, options?: ReplyOptions): Reply =>
  withBody(JSON.stringify(value), 'application/json', options);

/** No body: 204 unless a status is given (RFC 9110 §8.6: 204 and 304 say no length). */
export function empty(options: ReplyOptions = {}): Reply {
  const { status = 204, headers = {} } = options;
  const length = status === 204 || status === 304 ? [] : ['Content-Length', '0'];
  return { status, headers: [...length, ...API_POLICY, ...flat(headers)] };
}

function withBody(body: string, mediaType: string, { status = 200, headers = {} }: ReplyOptions = {}): Reply {
  const content = ['Content-Type', mediaType, 'Content-Length', String(Buffer.byteLength(body))];
  return { status, headers: [...content, ...API_POLICY, ...flat(headers)], body };
}

/** Header lines as the flat list that is written. */
export const flat = (headers: HeaderLines): readonly string[] =>
  Array.isArray(headers) ? headers : Object.entries(headers).flat();

/** The value of the first header line of this name, ignoring case, or undefined. */
export function headerOf(reply: Reply, name: string): string | undefined {
  const lines = flat(reply.headers),
    wanted = name.toLowerCase();
  for (let at = 0; at < lines.length; at += 2) if (lines[at]!.toLowerCase() === wanted) return lines[at + 1];
  return undefined;
}

/** The reply with these header lines instead of its own of the same names, ignoring case. */
export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = flat(reply.headers);
  const kept = lines.filter((_, at) => !replaced.has(lines[at - (at % 2)]!.toLowerCase()));
  return { ...reply, headers: [...kept, ...flat(headers)] };
}
