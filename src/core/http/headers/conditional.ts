/**
 * Evaluates the conditions of a request: `If-Match`, `If-None-Match`, dates and `If-Range` (RFC 9110 §13). Parses and
 * formats dates.
 *
 * `If-None-Match` uses the weak comparison, because an equivalent copy is sufficient. `If-Match` and `If-Range` use the
 * strong comparison, because a client overwrites or joins bytes if the condition holds (§8.8.3.2). A condition holds if
 * its header is missing.
 */
import type { IncomingHttpHeaders } from 'node:http';

const TIME = String.raw`(?<time>\d\d:\d\d:\d\d)`;
const DATES = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<short>\d\d) ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/**
 * Parses an HTTP date into milliseconds since 1970. Returns undefined for a text in another form than the three of RFC
 * 9110 §5.6.7, because such a date must be ignored (§13.1.3). `Date.parse` would accept many other forms.
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

/** Returns the year for two digits: at most fifty years in the future, otherwise in the past (§5.6.7). */
function fullYear(short: number): number {
  const now = new Date().getUTCFullYear();
  const year = now - (now % 100) + short;
  return year > now + 50 ? year - 100 : year;
}

/** Formats milliseconds since 1970 as an HTTP date. */
export const httpDate = (time: number): string => new Date(time).toUTCString();

/** The ETag and the date that identify one state of a representation. */
export interface Validators {
  /** The ETag as it is sent: in quotes, with `W/` in front if it is weak. Undefined if the state has no ETag. */
  readonly etag: string | undefined;
  /**
   * The time of `Last-Modified` in milliseconds since 1970, a whole second. Conditions with dates need it (§13.1.3,
   * §13.1.4). Omit it, and do not send `Last-Modified`, until this second is over: `If-Range` treats the date as a
   * strong validator (§8.8.2.2).
   */
  readonly modified?: number | undefined;
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** The placeholder for the tag of a state that has no ETag. No client can send it, so it never matches. */
const UNNAMED = ' ';

const withoutWeakness = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);

/** True if `If-None-Match` holds: the client lacks this state. `etag` is undefined for a missing resource (§13.1.2). */
export function noneMatch(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return true;
  if (header === etag || header.trim() === '*') return false;
  const wanted = withoutWeakness(etag);
  return !header.match(ENTITY_TAG)?.some((tag) => withoutWeakness(tag) === wanted);
}

/** True if `If-Match` holds; `*` matches any resource. `etag` is undefined for a missing resource (§13.1.1). */
export function matches(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined) return true;
  if (etag === undefined) return false;
  if (header.trim() === '*') return true;
  return !etag.startsWith('W/') && header.match(ENTITY_TAG)?.includes(etag) === true;
}

/** Evaluates the conditions of a GET or HEAD (§13.2.2). Returns undefined if the usual reply is to be sent. */
export function precondition(headers: IncomingHttpHeaders, validators: Validators): 304 | 412 | undefined {
  // NaN, the unknown date, is neither before nor after another date.
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

/** True if `If-Range` holds, so the part that the client already has belongs to the current body (§13.1.5). */
export function rangeHolds(ifRange: string | undefined, { etag, modified = NaN }: Validators): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === etag && !ifRange.startsWith('W/');
  // A date is a strong validator only after its second, because the body may change again within it (§8.8.2.2).
  return parseHttpDate(ifRange) === modified && modified + 1000 <= Date.now();
}
