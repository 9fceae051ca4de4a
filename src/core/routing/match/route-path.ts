/**
 * Reads the segments of a request path: the pieces between its slashes, decoded (D21, reference B.1).
 *
 * `/files/a//b/` has an empty segment in the middle. A slash at the end adds none; only a catch-all sees it. Nothing is
 * kept of a segment: a match reads each about twice, and a list of them would cost more than that.
 */
import type { Spending } from '../constraints/expression-cost.ts';

export class RoutePath {
  readonly text: string;
  /** Where the first segment begins. */
  readonly start: number;
  /** What the constraints of this request have cost (D37). */
  readonly spending: Spending;
  readonly #isEscaped: boolean;

  constructor(text: string, spending: Spending = { spentSteps: 0 }) {
    this.text = text;
    this.spending = spending;
    this.start = text.charCodeAt(0) === 47 ? 1 : 0;
    this.#isEscaped = text.includes('%');
  }

  /** Where the segment ends that begins at `start`. */
  endOf(start: number): number {
    const slash = this.text.indexOf('/', start);
    return slash < 0 ? this.text.length : slash;
  }

  /** The decoded text between two places. Throws a `URIError` for a malformed escape. */
  between(start: number, end: number): string {
    const text = this.text.slice(start, end);
    return this.#isEscaped ? decodeURIComponent(text) : text;
  }

  /** The segment at this depth. Throws a `URIError` for a malformed escape. */
  segment(depth: number): string {
    const start = this.#startOf(depth);
    return this.between(start, this.endOf(start));
  }

  /** Everything from a segment to the end of the path, decoded, with a final slash. */
  rest(depth: number): string {
    return this.between(this.#startOf(depth), this.text.length);
  }

  /** All segments. Throws a `URIError` for a malformed escape. */
  split(): readonly string[] {
    const segments: string[] = [];
    for (let at = this.start, end: number; at < this.text.length; at = end + 1)
      segments.push(this.between(at, (end = this.endOf(at))));
    return segments;
  }

  #startOf(depth: number): number {
    let start = this.start;
    for (let passed = 0; passed < depth; passed++) start = this.endOf(start) + 1;
    return start;
  }
}
