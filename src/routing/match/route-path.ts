/**
 * A request path, cut into segments as far as anyone asked (reference B.1).
 *
 * `/files/a//b/` has an empty segment in the middle and a slash at its end, which only a catch-all sees. Nothing is decoded before
 * it is needed, and a path without escapes is never copied: segments are kept as positions in it.
 *
 * The shape is odd for speed: a path is new for each request and its cuts are not. A list that lives long and is given something new
 * has to be noted for the garbage collector, 5 ns of 165 each time; the small object costs a little less (1 to 2 ns saved).
 */

import { foldCase } from '../text/fold-case.ts';
import { CLEAN, type Cuts, DECODED } from './segment-bounds.ts';

/** A path and where its segments are. */
export class RoutePath {
  readonly text: string;
  readonly cuts: Cuts;

  constructor(text: string, cuts: Cuts) {
    this.text = text;
    this.cuts = cuts;
  }

  /** Where the first segment begins. */
  get start(): number {
    return this.text.charCodeAt(0) === 47 ? 1 : 0;
  }

  /** Cuts all segments, a final empty one is none, and gives back how many there are. */
  cutAll(): number {
    let depth = 0;
    for (let at = this.start; at < this.text.length; at = this.decode(at, depth++) + 1) this.cuts.reserve(depth);
    return depth;
  }

  /** Cuts and decodes the segment that begins at `start`; gives back where it ends. Throws a `URIError` for a malformed escape. */
  decode(start: number, depth: number): number {
    const slash = this.text.indexOf('/', start),
      end = slash < 0 ? this.text.length : slash;
    this.cuts.decoded[depth] = decodeURIComponent(this.text.slice(start, end));
    this.cuts.starts[depth] = start;
    this.cuts.marks[depth] = DECODED;
    return (this.cuts.ends[depth] = end);
  }

  /** Is the segment empty? */
  isEmpty(depth: number): boolean {
    return this.cuts.ends[depth] === this.cuts.starts[depth];
  }

  /** The text of a segment, decoded. */
  segment(depth: number): string {
    const { cuts } = this,
      mark = cuts.marks[depth];
    if (mark === DECODED) return cuts.decoded[depth]!;
    const text = this.text.slice(cuts.starts[depth], cuts.ends[depth]);
    return mark === CLEAN || text.indexOf('%') < 0 ? text : decodeURIComponent(text);
  }

  /** Its text, folded. */
  folded(depth: number): string {
    return foldCase(this.segment(depth));
  }

  /** Everything from a segment on, decoded, a trailing slash included. */
  rest(depth: number): string {
    const rest = this.text.slice(this.cuts.starts[depth]);
    return rest.indexOf('%') < 0 ? rest : decodeURIComponent(rest);
  }
}
