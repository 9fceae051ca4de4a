/**
 * The literal children of all places of the index in one table.
 *
 * A `Map` at each place would need the text of a segment cut out and hashed again; here the hash that was made in passing is enough. Open
 * addressing, four numbers a slot, side by side in memory: place (0 for a free slot), hash, where the folded text begins in the codes,
 * and how long it is. A place that has one literal only is not in the table, it knows that one itself.
 */
import { FOLDED, hashOf } from './folded-units.ts';
import { Place } from './node.ts';

/** Places by the place before them and a literal. */
export class LiteralTable {
  /** The folded texts of all literals, one behind the other. */
  codes = new Uint16Array(64);
  #written = 0;
  #slots = new Int32Array(64);
  #children: (Place | undefined)[] = new Array<undefined>(16).fill(undefined);
  #mask = 15;
  #used = 0;
  #places = 0;

  /** Another place. */
  newPlace(): Place {
    return new Place(++this.#places);
  }

  /** The child behind a segment of a path that needs no decoding; `hash` is that of its folded text. */
  look(owner: number, hash: number, text: string, start: number, end: number): Place | undefined {
    const { codes } = this,
      slots = this.#slots,
      mask = this.#mask;
    for (let slot = slotOf(owner, hash) & mask; slots[slot * 4] !== 0; slot = (slot + 1) & mask) {
      if (slots[slot * 4] !== owner || slots[slot * 4 + 1] !== hash || slots[slot * 4 + 3] !== end - start) continue;
      let at = start;
      for (let from = slots[slot * 4 + 2]!; at < end && FOLDED[text.charCodeAt(at)] === codes[from]; from++) at++;
      if (at === end) return this.#children[slot];
    }
    return undefined;
  }

  /** The child behind a folded literal. */
  find(place: Place, folded: string): Place | undefined {
    if (place.literals === 0) return undefined;
    if (this.#says(folded, place.firstFrom, place.firstLength)) return place.first;
    return place.literals === 1 ? undefined : this.#find(place.number, hashOf(folded), folded);
  }

  /** The child behind a folded literal, made if there is none. */
  child(place: Place, folded: string): Place {
    if (place.literals > 0 && this.#says(folded, place.firstFrom, place.firstLength)) return place.first!;
    const hash = hashOf(folded);
    const known = place.literals > 1 ? this.#find(place.number, hash, folded) : undefined;
    if (known !== undefined) return known;
    const made = this.newPlace(),
      from = this.#write(folded);
    if (place.literals++ === 0) {
      place.first = made;
      place.firstFrom = from;
      place.firstLength = folded.length;
      place.firstHash = hash;
      return made;
    }
    if (place.literals === 2)
      this.#insert(place.number, place.firstHash, place.firstFrom, place.firstLength, place.first!);
    this.#insert(place.number, hash, from, folded.length, made);
    return made;
  }

  #find(owner: number, hash: number, folded: string): Place | undefined {
    const slots = this.#slots,
      mask = this.#mask;
    for (let slot = slotOf(owner, hash) & mask; slots[slot * 4] !== 0; slot = (slot + 1) & mask) {
      if (
        slots[slot * 4] === owner &&
        slots[slot * 4 + 1] === hash &&
        this.#says(folded, slots[slot * 4 + 2]!, slots[slot * 4 + 3]!)
      )
        return this.#children[slot];
    }
    return undefined;
  }

  #insert(owner: number, hash: number, from: number, length: number, child: Place): void {
    if (++this.#used * 2 > this.#children.length) this.#grow();
    this.#put(owner, hash, from, length, child);
  }

  #put(owner: number, hash: number, from: number, length: number, child: Place): void {
    const slots = this.#slots,
      mask = this.#mask;
    let slot = slotOf(owner, hash) & mask;
    while (slots[slot * 4] !== 0) slot = (slot + 1) & mask;
    slots[slot * 4] = owner;
    slots[slot * 4 + 1] = hash;
    slots[slot * 4 + 2] = from;
    slots[slot * 4 + 3] = length;
    this.#children[slot] = child;
  }

  #grow(): void {
    const slots = this.#slots,
      children = this.#children,
      size = children.length * 2;
    this.#slots = new Int32Array(size * 4);
    this.#children = new Array<undefined>(size).fill(undefined);
    this.#mask = size - 1;
    for (let slot = 0; slot < children.length; slot++) {
      const child = children[slot],
        at = slot * 4;
      if (child !== undefined) this.#put(slots[at]!, slots[at + 1]!, slots[at + 2]!, slots[at + 3]!, child);
    }
  }

  #says(folded: string, from: number, length: number): boolean {
    if (folded.length !== length) return false;
    for (let at = 0; at < length; at++) if (folded.charCodeAt(at) !== this.codes[from + at]) return false;
    return true;
  }

  #write(folded: string): number {
    const from = this.#written;
    this.#written += folded.length;
    if (this.#written > this.codes.length) {
      const codes = new Uint16Array(this.#written * 2);
      codes.set(this.codes);
      this.codes = codes;
    }
    for (let at = 0; at < folded.length; at++) this.codes[from + at] = folded.charCodeAt(at);
    return from;
  }
}

/** Where to begin to look. */
function slotOf(place: number, hash: number): number {
  const mixed = Math.imul(hash ^ Math.imul(place, -1640531535), -2048144789);
  return mixed ^ (mixed >>> 15);
}
