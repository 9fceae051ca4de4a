/**
 * Decides whether the conditions of a request hold, `If-Match`, `If-None-Match`, dates and `If-Range` (RFC 9110 §13).
 * Reads and writes dates.
 *
 * `If-None-Match` compares weakly: an equivalent copy is sufficient. `If-Match` and `If-Range` compare strongly,
 * because a client overwrites or joins bytes when they hold (§8.8.3.2). A condition whose header is missing holds.
 */
import type { IncomingHttpHeaders } from 'node:http';

const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const DATES = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<short>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/**
 * Milliseconds since 1970; undefined for a text that has none of the three forms of an HTTP date (RFC 9110 §5.6.7), and
 * has to be ignored (§13.1.3). `Date.parse` alone accepts many others.
 */
export function parseHttpDate(text: string): number | undefined {
  for (const form of DATES) {
    const { day = '', month, year, short, time = '' } = form.exec(text)?.groups ?? {};
    if (month === undefined) continue;
    const isLeapSecond = time.endsWith(':60');
    const clock = isLeapSecond ? time.replace(/60$/, '59') : time;
    const date = `${day.replace(' ', '0')} ${month} ${year ?? fullYear(Number(short))} ${clock} GMT`;
    const found = Date.parse(date);
    // `Date.parse` turns the 31st of February into the 3rd of March.
    if (!httpDate(found).endsWith(date)) return undefined;
    return isLeapSecond ? found + 1000 : found;
  }
  return undefined;
}

/** A two-digit year that would be more than fifty years in the future is one of the past (§5.6.7). */
function fullYear(short: number): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + short;
  return year > now + 50 ? year - 100 : year;
}

/** Writes milliseconds since 1970 as an HTTP date. */
export const httpDate = (time: number): string => new Date(time).toUTCString();

/** What tells one state of a representation from another. */
export interface Validators {
  /** As it is sent: in quotes, with `W/` in front when it is weak. Undefined where nothing names the state. */
  readonly etag: string | undefined;
  /**
   * Last-Modified in milliseconds since 1970, a whole second. Conditions on dates need it (§13.1.3, §13.1.4). Leave it
   * out, and do not send it, until this second is over: `If-Range` takes a date for a strong validator (§8.8.2.2).
   */
  readonly modified?: number | undefined;
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** Stands for the tag of a state that none names: it exists, and no tag that is sent can equal this one. */
const UNNAMED = ' ';

const withoutWeakness = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);

/** Does `If-None-Match` hold: does the client lack this state? `etag` is undefined where nothing exists (§13.1.2). */
export function noneMatch(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return true;
  if (header === etag || header.trim() === '*') return false;
  const wanted = withoutWeakness(etag);
  return !header.match(ENTITY_TAG)?.some((tag) => withoutWeakness(tag) === wanted);
}

/** Does `If-Match` hold? `*` matches anything that exists; `etag` is undefined where nothing exists (§13.1.1). */
export function matches(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined) return true;
  if (etag === undefined) return false;
  if (header.trim() === '*') return true;
  return !etag.startsWith('W/') && header.match(ENTITY_TAG)?.includes(etag) === true;
}

/** The status for a GET or HEAD with these conditions, in the order of §13.2.2; undefined for the usual reply. */
export function precondition(headers: IncomingHttpHeaders, validators: Validators): 304 | 412 | undefined {
  // An unknown date, NaN, is neither before nor after another.
  const { etag = UNNAMED, modified = NaN } = validators;
  const ifMatch = headers['if-match'];
  const ifUnmodifiedSince = headers['if-unmodified-since'];
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, etag)) return 412;
  } else if (ifUnmodifiedSince !== undefined && modified > (parseHttpDate(ifUnmodifiedSince) ?? Infinity)) return 412;
  const ifNoneMatch = headers['if-none-match'];
  const ifModifiedSince = headers['if-modified-since'];
  if (ifNoneMatch !== undefined) return noneMatch(ifNoneMatch, etag) ? undefined : 304;
  return ifModifiedSince !== undefined && modified <= (parseHttpDate(ifModifiedSince) ?? -Infinity) ? 304 : undefined;
}

/** Does `If-Range` hold: is the body still the one of which the client has a part (§13.1.5)? */
export function rangeHolds(ifRange: string | undefined, { etag, modified = NaN }: Validators): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === etag && !ifRange.startsWith('W/');
  // A date is strong once its second has passed: until then the body may change again (§8.8.2.2).
  return parseHttpDate(ifRange) === modified && modified + 1000 <= Date.now();
}
