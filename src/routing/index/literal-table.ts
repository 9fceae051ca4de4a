/**
 * Stores the literal children of all nodes of the index in one hash table, keyed by node and folded text.
 *
 * A `Map` in each node would need each segment as a string. This table needs only the hash, which the index computes
 * while it reads the segment. It uses open addressing with four numbers per slot: the number of the node (0 for a free
 * slot), the hash, the start of the folded text in `codes`, and its length. A node with one literal child stores that
 * child itself. Measured: hashing a segment while reading it takes a third of the time of looking it up in a `Map`.
 */
import type { RouteChain } from './route-chain.ts';

/** Maps a unit of ASCII to its folded unit, `/` to 0, and `%` and every unit outside ASCII to 1. */
export const FOLDED = new Uint8Array(65536).fill(1);
for (let unit = 2; unit < 128; unit++) FOLDED[unit] = unit >= 65 && unit <= 90 ? unit + 32 : unit;
FOLDED[47] = 0;
FOLDED[37] = 1;

/** The bits of a hash that are kept, so that it is a small integer of V8. */
export const HASH_BITS = 0x3fffffff;

/** Returns the hash of a folded text. `RouteIndex.findCandidates` computes the same. */
function hashOf(folded: string): number {
  let hash = 0;
  for (let at = 0; at < folded.length; at++) hash = ((hash << 5) - hash + folded.charCodeAt(at)) | 0;
  return hash & HASH_BITS;
}

/** A node of the tree in `route-index.ts`: what a path can become after the segments that lead to the node. */
export class Node {
  readonly number: number;
  literals = 0;
  // The first literal child. Most nodes have no other, and do without the table.
  first: Node | undefined = undefined;
  // Where its folded text is in the codes of the table, and the hash of that text.
  firstStart = 0;
  firstLength = 0;
  firstHash = 0;
  /** The child for every segment of a template that is not one literal. */
  wildcard: Node | undefined = undefined;
  /** Routes that can end here. A route with optional or default segments ends at several nodes. */
  routes: RouteChain | undefined = undefined;
  /** Routes whose catch-all begins here. */
  catchAlls: RouteChain | undefined = undefined;

  constructor(number: number) {
    this.number = number;
  }
}

export class LiteralTable {
  /** The folded texts of all literals, one after the other. */
  codes = new Uint16Array(64);
  #codesLength = 0;
  #slots = new Int32Array(64);
  #children: (Node | undefined)[] = new Array<undefined>(16).fill(undefined);
  #mask = 15;
  #used = 0;
  #nodes = 0;

  newNode(): Node {
    return new Node(++this.#nodes);
  }

  /** Returns the child for a segment of ASCII without escapes. `hash` is the hash of the folded segment. */
  childForSegment(owner: number, hash: number, path: string, start: number, end: number): Node | undefined {
    const { codes } = this;
    const slots = this.#slots;
    const mask = this.#mask;
    for (let slot = firstSlot(owner, hash) & mask; slots[slot * 4] !== 0; slot = (slot + 1) & mask) {
      if (slots[slot * 4] !== owner || slots[slot * 4 + 1] !== hash || slots[slot * 4 + 3] !== end - start) continue;
      let at = start;
      for (let from = slots[slot * 4 + 2]!; at < end && FOLDED[path.charCodeAt(at)] === codes[from]; from++) at++;
      if (at === end) return this.#children[slot];
    }
    return undefined;
  }

  /** Returns the child of a node for a folded literal. */
  child(node: Node, folded: string): Node | undefined {
    if (node.literals === 0) return undefined;
    if (this.#isAt(folded, node.firstStart, node.firstLength)) return node.first;
    return node.literals === 1 ? undefined : this.#find(node.number, hashOf(folded), folded);
  }

  /** Returns the child of a node for a folded literal, and makes it if it is missing. */
  childOrNew(node: Node, folded: string): Node {
    if (node.literals > 0 && this.#isAt(folded, node.firstStart, node.firstLength)) return node.first!;
    const hash = hashOf(folded);
    const known = node.literals > 1 ? this.#find(node.number, hash, folded) : undefined;
    if (known !== undefined) return known;
    const child = this.newNode();
    const start = this.#append(folded);
    if (node.literals++ === 0) {
      node.first = child;
      node.firstStart = start;
      node.firstLength = folded.length;
      node.firstHash = hash;
      return child;
    }
    if (node.literals === 2) this.#insert(node.number, node.firstHash, node.firstStart, node.firstLength, node.first!);
    this.#insert(node.number, hash, start, folded.length, child);
    return child;
  }

  #find(owner: number, hash: number, folded: string): Node | undefined {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let slot = firstSlot(owner, hash) & mask; slots[slot * 4] !== 0; slot = (slot + 1) & mask) {
      const isMatch = slots[slot * 4] === owner && slots[slot * 4 + 1] === hash;
      if (isMatch && this.#isAt(folded, slots[slot * 4 + 2]!, slots[slot * 4 + 3]!)) return this.#children[slot];
    }
    return undefined;
  }

  #insert(owner: number, hash: number, start: number, length: number, child: Node): void {
    if (++this.#used * 2 > this.#children.length) this.#grow();
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = firstSlot(owner, hash) & mask;
    while (slots[slot * 4] !== 0) slot = (slot + 1) & mask;
    slots.set([owner, hash, start, length], slot * 4);
    this.#children[slot] = child;
  }

  #grow(): void {
    const slots = this.#slots;
    const children = this.#children;
    const size = children.length * 2;
    this.#slots = new Int32Array(size * 4);
    this.#children = new Array<undefined>(size).fill(undefined);
    this.#mask = size - 1;
    this.#used = 1; // for the child that is added next
    for (let slot = 0; slot < children.length; slot++) {
      const child = children[slot];
      const at = slot * 4;
      if (child !== undefined) this.#insert(slots[at]!, slots[at + 1]!, slots[at + 2]!, slots[at + 3]!, child);
    }
  }

  /** True if `codes` holds this text at `start`. */
  #isAt(folded: string, start: number, length: number): boolean {
    if (folded.length !== length) return false;
    for (let at = 0; at < length; at++) if (folded.charCodeAt(at) !== this.codes[start + at]) return false;
    return true;
  }

  /** Appends a text to `codes`, and returns where it begins. */
  #append(folded: string): number {
    const start = this.#codesLength;
    this.#codesLength += folded.length;
    if (this.#codesLength > this.codes.length) {
      const codes = new Uint16Array(this.#codesLength * 2);
      codes.set(this.codes);
      this.codes = codes;
    }
    for (let at = 0; at < folded.length; at++) this.codes[start + at] = folded.charCodeAt(at);
    return start;
  }
}

function firstSlot(node: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(node, -1640531535), -2048144789);
  return mixed ^ (mixed >>> 15);
}
