/**
 * Builds the path of a link part by part (reference E.4), and applies the style of the collection to it.
 *
 * A value that equals its default is deferred, and written only if a later part is. So
 * `{controller=Home}/{action=Index}/{id?}` gives `/` with defaults alone and `/Home/Index/5` with an id. After an empty
 * part nothing can be written.
 */
import { encode, encodeCatchAll } from '../text/encode.ts';

/** A path under construction. Each method that adds a part returns false if the part cannot stand there. */
export class LinkPath {
  /** The path so far, without the deferred values at its end. */
  text = '';
  #deferred = '';
  #hasDeferred = false;
  #hasEmptyPart = false;
  // Whether the current segment has a part that was written, or one that was written or deferred.
  #segmentWritten = false;
  #segmentStarted = false;
  #lengthBeforeLast = 0;

  writeLiteral(encoded: string): boolean {
    if (this.#hasEmptyPart) return false;
    this.#startPart();
    this.text += encoded;
    return true;
  }

  /** Writes a value. An empty value must be the first part of its segment. */
  write(text: string, catchAll = false): boolean {
    if (text === '') {
      if (this.#segmentStarted) return false;
      this.#hasEmptyPart = true;
      return true;
    }
    if (this.#hasEmptyPart) return false;
    this.#startPart();
    // A slash at the start of the path is the one that every path begins with.
    const rooted = this.text === '' && text.charCodeAt(0) === 47;
    const rest = rooted ? text.slice(1) : text;
    this.text += (rooted ? '/' : '') + (catchAll ? encodeCatchAll(rest) : encode(rest));
    return true;
  }

  /** Defers a value that equals its default, unless its segment is written already. */
  defer(text: string, catchAll = false): boolean {
    if (text === '' || this.#segmentWritten) return this.write(text, catchAll);
    if (this.#hasEmptyPart) return false;
    if (!this.#segmentStarted && (this.text !== '' || this.#hasDeferred)) this.#deferred += '/';
    this.#segmentStarted = true;
    this.#hasDeferred = true;
    this.#deferred += catchAll ? encodeCatchAll(text) : encode(text);
    return true;
  }

  /** Removes the part that was written last: the period before an optional parameter without a value. */
  removeLast(): void {
    this.text = this.text.slice(0, this.#lengthBeforeLast);
  }

  endSegment(): void {
    this.#segmentWritten = this.#segmentStarted = false;
  }

  #startPart(): void {
    if (this.#hasDeferred) {
      this.text += this.#deferred;
      this.#deferred = '';
      this.#hasDeferred = false;
    }
    if (!this.#segmentStarted && this.text !== '') this.text += '/';
    this.#segmentWritten = this.#segmentStarted = true;
    this.#lengthBeforeLast = this.text.length;
  }
}

/** The style of the links of a collection: lower case and a slash at the end. The query of a link stays as it is. */
export interface LinkStyle {
  readonly lowercaseUrls?: boolean;
  readonly appendTrailingSlash?: boolean;
}

/** Returns the link in this style. */
export function applyLinkStyle(link: string, { lowercaseUrls, appendTrailingSlash }: LinkStyle): string {
  if (!lowercaseUrls && !appendTrailingSlash) return link;
  const mark = link.indexOf('?');
  let path = mark < 0 ? link : link.slice(0, mark);
  if (lowercaseUrls) path = path.toLowerCase();
  if (appendTrailingSlash && !path.endsWith('/')) path += '/';
  return mark < 0 ? path : path + link.slice(mark);
}
