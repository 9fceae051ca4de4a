/**
 * Conditional requests: does the client have it already, and is it still what the client thinks it is? (RFC 9110 §13)
 *
 * Two comparisons that look alike: `If-None-Match` compares weakly, for a copy that is as good will do; `If-Match` and
 * `If-Range` strongly, because bytes are put together or overwritten on the strength of it (§8.8.3.2). Pure functions; a
 * header that is not there asks nothing and holds.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { parseHttpDate } from './http-date.ts';

/** What tells one state of a representation from another. */
export interface Validators {
  /** As sent: quotes, and `W/` before them when weak. */
  readonly etag: string;
  /** Last-Modified, milliseconds since 1970, a whole second; without one, conditions on dates are ignored (§13.1.3, §13.1.4). */
  readonly modified?: number;
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

const weakless = (etag: string): string => (etag.startsWith('W/') ? etag.slice(2) : etag);

/** Does `If-None-Match` hold, that is: does the client *not* have it yet? `etag` is undefined where there is nothing (§13.1.2). */
export function noneMatch(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined || etag === undefined) return true;
  if (header === etag || header.trim() === '*') return false;
  const wanted = weakless(etag);
  return !header.match(ENTITY_TAG)?.some((tag) => weakless(tag) === wanted);
}

/** Does `If-Match` hold? `*` asks for anything at all; `etag` is undefined where there is nothing (§13.1.1). */
export function matches(header: string | undefined, etag: string | undefined): boolean {
  if (header === undefined) return true;
  if (etag === undefined) return false;
  if (header.trim() === '*') return true;
  return !etag.startsWith('W/') && header.match(ENTITY_TAG)?.includes(etag) === true;
}

/** Neither before nor after any date. */
const UNKNOWN = NaN;

/** The status that the conditions of a GET or HEAD ask for, in the order of §13.2.2, or undefined: answer as if there were none. */
export function precondition(
  headers: IncomingHttpHeaders,
  { etag, modified = UNKNOWN }: Validators,
): 304 | 412 | undefined {
  const ifMatch = headers['if-match'],
    ifUnmodifiedSince = headers['if-unmodified-since'];
  if (ifMatch !== undefined) {
    if (!matches(ifMatch, etag)) return 412;
  } else if (ifUnmodifiedSince !== undefined && modified > (parseHttpDate(ifUnmodifiedSince) ?? Infinity)) return 412;
  const ifNoneMatch = headers['if-none-match'],
    ifModifiedSince = headers['if-modified-since'];
  if (ifNoneMatch !== undefined) return noneMatch(ifNoneMatch, etag) ? undefined : 304;
  return ifModifiedSince !== undefined && modified <= (parseHttpDate(ifModifiedSince) ?? -Infinity) ? 304 : undefined;
}

/** May a range be taken, or has the file changed since the client got its first part (`If-Range`, §13.1.5)? */
export function rangeHolds(ifRange: string | undefined, { etag, modified = UNKNOWN }: Validators): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === etag && !etag.startsWith('W/');
  // A date is strong only when nothing can have changed within its second (§8.8.2.2).
  return parseHttpDate(ifRange) === modified && modified + 1000 <= Date.now();
}
