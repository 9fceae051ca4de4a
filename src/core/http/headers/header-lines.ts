/**
 * Reads and changes header lines: an object, or a flat list of names and values. Defines the headers of every reply and
 * of every problem, and the reason phrases.
 */
import { STATUS_CODES } from 'node:http';

/** An object, or a flat list `[name, value, name, value, …]`. A list is sent unchanged. */
export type HeaderLines = readonly string[] | Readonly<Record<string, string>>;

/** Returns the headers as a flat list of names and values. */
export function flat(headers: HeaderLines): readonly string[] {
  if (Array.isArray(headers)) return headers;
  // `Object.entries` finds no lines in a Map, or in the Headers of fetch.
  if (Symbol.iterator in headers) throw new TypeError('Cannot use a Map as headers; write Object.fromEntries(headers)');
  // The compiler allows `{ ...cookie('sid', 'a') }`, whose names are "0" and "1".
  if ('0' in headers)
    throw new TypeError('Cannot use an object around a list as headers; write a list: [...cookie(name, value), …]');
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  return lines;
}

/** True for the same header name, ignoring case. Compares the lengths first, because most names differ in length. */
export const isSameName = (left: string, right: string): boolean =>
  left.length === right.length && left.toLowerCase() === right.toLowerCase();

/**
 * Returns the value of the first line of this name, ignoring case; undefined if no line has this name. The lines may be
 * unchecked, so a name may be a number, for example.
 */
export function lineValue(lines: readonly string[], name: string): string | undefined {
  for (let at = 0; at < lines.length; at += 2) if (isSameName(String(lines[at]), name)) return lines[at + 1];
  return undefined;
}

export function withoutLines(lines: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  const remaining: string[] = [];
  for (let at = 0; at < lines.length; at += 2) if (!isLeftOut(lines[at]!)) remaining.push(lines[at]!, lines[at + 1]!);
  return remaining;
}

/** Lines with these names are appended. A second cookie, for example, does not replace the first. */
const IS_APPENDED = /^(?:set-cookie|link|server-timing|www-authenticate)$/i;

/**
 * Returns the default lines, followed by the lines of `headers`. A header replaces the default of the same name,
 * ignoring case. The names in `Vary` are merged, and headers such as `Set-Cookie` keep their default lines.
 */
export function withDefaults(defaults: readonly string[], headers: HeaderLines | undefined): readonly string[] {
  if (headers === undefined) return defaults;
  const lines = flat(headers);
  if (lines.length === 0) return defaults;
  const remaining = withoutLines(defaults, (name) => lineValue(lines, name) !== undefined && !IS_APPENDED.test(name));
  if (lineValue(lines, 'Vary') === undefined) return [...remaining, ...lines];
  return [...remaining, ...lines.map((text, at) => (isVary(lines, at) ? joinedVary(defaults, String(text)) : text))];
}

const isVary = (lines: readonly string[], at: number): boolean =>
  at % 2 === 1 && isSameName(String(lines[at - 1]), 'Vary');

/** Merges `names` and all `Vary` lines into one list (RFC 9110 §5.3, §12.5.5). */
function joinedVary(lines: readonly string[], names: string): string {
  const listed = [...lines.filter((_, at) => isVary(lines, at)), names]
    .join(',')
    .split(',')
    .map((name) => name.trim());
  const unique = listed.filter(
    (name, at) => name !== '' && listed.findIndex((other) => isSameName(other, name)) === at,
  );
  return unique.includes('*') ? '*' : unique.join(', ');
}

export const isContentLength = (name: string): boolean => isSameName(name, 'Content-Length');

/** True for `Content-Length` and `Content-Type`, which depend on the body. */
export const isOfContent = (name: string): boolean => isContentLength(name) || isSameName(name, 'Content-Type');

/** Sent with every reply (D36), unless the reply has a header of the same name. */
export const COMMON_HEADERS = flat({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

/**
 * Sent with every reply that is not a page. `frame-ancestors` forbids other pages to frame it; `default-src` does not
 * cover that.
 */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** Sent with every problem. Without `no-store`, a cache may store a 404 for other requests (RFC 9111 §4.2.2). */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** Returns the reason phrase of a status; undefined for a status without one. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
