/**
 * Decides whether the conditions of a request hold: `If-Match`, `If-None-Match`, dates and `If-Range` (RFC 9110 §13).
 *
 * `If-None-Match` compares weakly: an equivalent copy is sufficient. `If-Match` and `If-Range` compare strongly,
 * because a client overwrites or joins bytes when they hold (§8.8.3.2). A condition whose header is missing holds.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseHttpDate } from './http-date.ts';

/** What tells one state of a representation from another. */
export interface Validators {
  /** As it is sent: in quotes, with `W/` in front when it is weak. Undefined where nothing names the state. */
  readonly etag: string | undefined;
  /** Last-Modified in milliseconds since 1970, a whole second. Conditions on dates need it (§13.1.3, §13.1.4). */
  readonly modified?: number;
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
