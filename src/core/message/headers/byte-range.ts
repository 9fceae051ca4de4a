/**
 * Decides which bytes of a body a `Range` header asks for (RFC 9110 §14.1.2, §14.2).
 *
 * `bytes=-500` asks for the last five hundred bytes, not the first. A malformed range is ignored and the whole body is
 * sent. So is a list of ranges, which is expensive to serve and of little use with files; §14.2 allows both.
 */

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** The range of a body of `length` bytes; 'unsatisfiable' (416) when it lies outside; undefined for the whole body. */
export function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const found = header === undefined ? null : SINGLE.exec(header);
  if (found === null) return undefined;
  const [, from, to] = found as unknown as [string, string, string];
  if (from === '') return suffixRange(to, length);
  const first = Number(from);
  const last = to === '' ? Infinity : Number(to);
  if (last < first) return undefined;
  return first >= length ? 'unsatisfiable' : { first, last: Math.min(last, length - 1) };
}

/** The last bytes. An empty body is sent as a whole: a suffix of it is satisfiable but has no `Content-Range`. */
function suffixRange(digits: string, length: number): ByteRange | 'unsatisfiable' | undefined {
  if (digits === '') return undefined;
  const count = Number(digits);
  if (count === 0) return 'unsatisfiable';
  return length === 0 ? undefined : { first: Math.max(0, length - count), last: length - 1 };
}
