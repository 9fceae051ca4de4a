/**
 * Writes the path of a link, part by part (reference E.4).
 *
 * `{controller=Home}/{action=Index}/{id?}` with nothing but defaults is `/`, with an id it is `/Home/Index/5`: a default is held
 * back until something behind it has to be written. Once an empty part was met nothing may follow it.
 */
import { encode, encodeRest } from '../text/encode.ts';

/** A path being written. */
export class LinkPath {
  #written = '';
  #held = '';
  #heldAnything = false;
  #empty = false;
  // Has the current segment begun, in what is written or in what is held back?
  #writing = false;
  #holding = false;
  #before = 0;

  /** What is written; defaults held back to the end are left out. */
  get text(): string {
    return this.#written;
  }

  /** Writes a literal, encoded. False when it cannot be written here. */
  writeLiteral(encoded: string): boolean {
    if (this.#empty) return false;
    this.#begin();
    this.#written += encoded;
    return true;
  }

  /** Writes a value. False when it cannot be written here. */
  write(text: string, catchAll = false): boolean {
    if (text === '') return this.#skip();
    if (this.#empty) return false;
    this.#begin();
    // One slash at the very beginning is taken for the one that every path begins with.
    const rooted = this.#written === '' && text.charCodeAt(0) === 47;
    const rest = rooted ? text.slice(1) : text;
    this.#written += (rooted ? '/' : '') + (catchAll ? encodeRest(rest) : encode(rest));
    return true;
  }

  /** Holds a default back until something behind it is written. False when it cannot be written here. */
  hold(text: string, catchAll = false): boolean {
    if (text === '') {
      if (this.#holding) return false;
      this.#empty = true;
      return true;
    }
    if (this.#empty) return false;
    if (this.#writing) return this.write(text, catchAll);
    if (!this.#holding && (this.#written !== '' || this.#heldAnything)) this.#held += '/';
    this.#holding = true;
    this.#heldAnything = true;
    this.#held += catchAll ? encodeRest(text) : encode(text);
    return true;
  }

  /** Takes back the part that was written last: the period before an optional parameter without a value. */
  takeBack(): void {
    this.#written = this.#written.slice(0, this.#before);
  }

  endSegment(): void {
    this.#writing = this.#holding = false;
  }

  #begin(): void {
    if (this.#heldAnything) {
      this.#written += this.#held;
      this.#held = '';
      this.#heldAnything = false;
    }
    if (!this.#writing && !this.#holding && this.#written !== '') this.#written += '/';
    this.#writing = this.#holding = true;
    this.#before = this.#written.length;
  }

  #skip(): boolean {
    if (this.#writing || this.#holding) return false;
    this.#empty = true;
    return true;
  }
}
