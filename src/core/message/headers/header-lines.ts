/**
 * Reads and changes header lines as a reply has them: an object, or a flat list of names and values. Has those of every
 * reply and of every problem, and the phrase of a status.
 */
import { STATUS_CODES } from 'node:http';

/** An object, or a flat list `[name, value, name, value, …]`, which is written as it is. */
export type HeaderLines = readonly string[] | Readonly<Record<string, string>>;

/** The headers as a flat list of names and values. */
export function flat(headers: HeaderLines): readonly string[] {
  if (Array.isArray(headers)) return headers;
  // `Object.entries` finds no lines in a Map, nor in the Headers of fetch.
  if (Symbol.iterator in headers)
    throw new TypeError('Cannot take headers as a Map; write Object.fromEntries(headers)');
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  return lines;
}

/** Are these the name of one header, in any case? Most names differ in their length. */
export const isSameName = (one: string, other: string): boolean =>
  one.length === other.length && one.toLowerCase() === other.toLowerCase();

/** The value of the first line of this name, in any case; undefined for none. An unchecked name may be no text. */
export function lineValue(lines: readonly string[], name: string): string | undefined {
  for (let at = 0; at < lines.length; at += 2) if (isSameName(String(lines[at]), name)) return lines[at + 1];
  return undefined;
}

/** The lines without those whose name is told by `isLeftOut`. */
export function withoutLines(lines: readonly string[], isLeftOut: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at += 2) if (!isLeftOut(lines[at]!)) kept.push(lines[at]!, lines[at + 1]!);
  return kept;
}

/** Each line of these stands for itself: a second cookie does not take the place of the first. */
const IS_ADDED = /^(?:set-cookie|link|server-timing|www-authenticate)$/i;

/**
 * The default lines and the given lines behind them. A given line replaces the default line of the same name, in any
 * case. `Vary` has the names of both, and headers such as `Set-Cookie` keep their default lines.
 */
export function withDefaults(defaults: readonly string[], given: HeaderLines | undefined): readonly string[] {
  if (given === undefined) return defaults;
  const lines = flat(given);
  if (lines.length === 0) return defaults;
  const kept = withoutLines(defaults, (name) => lineValue(lines, name) !== undefined && !IS_ADDED.test(name));
  if (lineValue(lines, 'Vary') === undefined) return [...kept, ...lines];
  return [...kept, ...lines.map((text, at) => (isVary(lines, at) ? joinedVary(defaults, String(text)) : text))];
}

/** Is the text at this place of the lines the value of a `Vary`? */
const isVary = (lines: readonly string[], at: number): boolean =>
  at % 2 === 1 && isSameName(String(lines[at - 1]), 'Vary');

/** The `Vary` of these lines and of further names (RFC 9110 §12.5.5). Several lines count as one list (§5.3). */
function joinedVary(lines: readonly string[], names: string): string {
  const listed = [...lines.filter((_, at) => isVary(lines, at)), names]
    .join(',')
    .split(',')
    .map((name) => name.trim());
  const unique = listed.filter((name, at) => name !== '' && listed.findIndex((one) => isSameName(one, name)) === at);
  return unique.includes('*') ? '*' : unique.join(', ');
}

/** Does this name, in any case, read `Content-Length`? */
export const isContentLength = (name: string): boolean => isSameName(name, 'Content-Length');

/** Does it read `Content-Length` or `Content-Type`, which follow from the body? */
export const isOfContent = (name: string): boolean => isContentLength(name) || isSameName(name, 'Content-Type');

/** Sent with every reply (D36). */
export const COMMON_HEADERS = flat({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

/** Sent with every reply that is not a page. `frame-ancestors` forbids frames; `default-src` does not cover it. */
export const API_POLICY: readonly string[] = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"];

/** Sent with every problem. A problem names one request, and a cache may otherwise store a 404 (RFC 9111 §4.2.2). */
export const PROBLEM_HEADERS: readonly string[] = [...API_POLICY, 'Cache-Control', 'no-store'];

const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** The phrase; undefined for a status that has none. */
export const statusText = (status: number): string | undefined => RENAMED[status] ?? STATUS_CODES[status];
