/**
 * Which bytes a `Range` header asks for (RFC 9110 §14.1.2, §14.2).
 *
 * `bytes=-500` is the *last* five hundred, not the first: read as "from nothing to 500" it hands out the wrong half of a
 * file. A range that cannot be read is ignored and the whole is sent; so is a list of several, which nobody needs from a
 * folder and which costs a server dearly (§14.2 allows both).
 */

/** First and last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const SINGLE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/** The range of a body of `length` bytes; 'unsatisfiable' (416) when it lies outside; undefined when the whole is to be sent. */
export function byteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | undefined {
  const found = header === undefined ? null : SINGLE.exec(header);
  if (found === null) return undefined;
  const [, from, to] = found as unknown as [string, string, string];
  if (from === '') return suffix(to, length);
  const first = Number(from),
    last = to === '' ? Infinity : Number(to);
  if (last < first) return undefined;
  return first >= length ? 'unsatisfiable' : { first, last: Math.min(last, length - 1) };
}

/** The last bytes. A suffix of an empty body is satisfiable, but no `Content-Range` can say it: the whole, then. */
function suffix(digits: string, length: number): ByteRange | 'unsatisfiable' | undefined {
  if (digits === '') return undefined;
  const count = Number(digits);
  if (count === 0) return 'unsatisfiable';
  return length === 0 ? undefined : { first: Math.max(0, length - count), last: length - 1 };
}
