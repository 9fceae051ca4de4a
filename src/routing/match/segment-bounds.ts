/** Holds where the segments of a path begin and end. Requests reuse one object, so splitting allocates nothing. */

/** How a segment was read: without an escape; not searched for escapes; decoded. */
export const CLEAN = 0,
  UNSCANNED = 1,
  DECODED = 2;

/** Lists by depth, the index of a segment. */
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

function copied<List extends Int32Array | Uint8Array>(from: List, to: List): List {
  to.set(from);
  return to;
}
