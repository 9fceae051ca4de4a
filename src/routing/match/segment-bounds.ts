/** Where the segments of a path begin and end, kept from one request to the next, so that cutting allocates nothing. */

/** What is known of a segment: it holds no escape; it may hold one; it is decoded. */
export const CLEAN = 0,
  UNREAD = 1,
  DECODED = 2;

/** By depth. */
export class Cuts {
  starts = new Int32Array(32);
  ends = new Int32Array(32);
  marks = new Uint8Array(32);
  /** The texts of those that are decoded. */
  readonly decoded: string[] = [];

  /** Makes room for a segment at this depth, and for the beginning of a catch-all behind it. */
  reserve(depth: number): void {
    if (depth + 1 < this.starts.length) return;
    this.starts = larger(this.starts, new Int32Array(depth * 2));
    this.ends = larger(this.ends, new Int32Array(depth * 2));
    this.marks = larger(this.marks, new Uint8Array(depth * 2));
  }
}

function larger<List extends Int32Array | Uint8Array>(list: List, made: List): List {
  made.set(list);
  return made;
}
