/** Logs each loss of a store and each return as one line (D85), and that a store is full. */
import { logWarning } from '../../extending.ts';

/** While a store is full, it is logged so often, in milliseconds. */
const FULL_INTERVAL = 60_000;

/** Tells what happens to a store, once each: lost, there again, full. */
export class StoreState {
  readonly #what: string;
  #isLost = false;
  #isDamaged = false;
  #fullAt = Number.NEGATIVE_INFINITY;

  /** `what` is the store as messages name it. */
  constructor(what: string) {
    this.#what = what;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** What is damaged stays lost until the store is opened anew. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  lost(cause: string): void {
    if (!this.#isLost) logWarning(`The store ${this.#what} cannot be reached: ${cause}`);
    this.#isLost = true;
  }

  damaged(cause: string): void {
    this.lost(cause);
    this.#isDamaged = true;
  }

  found(): void {
    if (this.#isDamaged) return;
    if (this.#isLost) logWarning(`The store ${this.#what} is reached again`);
    this.#isLost = false;
  }

  full(cause: string): void {
    if (performance.now() - this.#fullAt < FULL_INTERVAL) return;
    this.#fullAt = performance.now();
    logWarning(`The store ${this.#what} is full: ${cause}`);
  }

  /** The store is closed. */
  reset(): void {
    this.#isLost = false;
    this.#isDamaged = false;
    this.#fullAt = Number.NEGATIVE_INFINITY;
  }
}
