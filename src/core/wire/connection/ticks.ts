/** Counts how long the states of a connection last, in ticks of the watch. */

/** Counts for how many ticks in a row a state has been the same. */
class Unchanged {
  #ticks = 0;
  #state = Number.NaN;

  /** 0 for a new state, and for NaN. */
  count(state: number): number {
    this.#ticks = state === this.#state ? this.#ticks + 1 : 0;
    this.#state = state;
    return this.#ticks;
  }
}

/** What is counted of one connection. */
export class Ticks {
  readonly waiting = new Unchanged();
  readonly unflushed = new Unchanged();
  flushedBefore = 0;
  readonly idle = new Unchanged();
  readonly quiet = new Unchanged();
  readonly idleInStop = new Unchanged();
}
