/** Tells replies that may never end that the service begins to stop (D77). */
import { setMaxListeners } from 'node:events';

/** The beginning of a stop. The signal is made when it is first asked for, so a service without streams has none. */
export class Stopping {
  #controller: AbortController | undefined;
  #hasBegun = false;
  readonly #listeners: (() => void)[] = [];

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Aborted once the stop begins. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // Every open stream listens to it.
      setMaxListeners(0, this.#controller.signal);
      if (this.#hasBegun) this.#controller.abort(new Error('The service is stopping'));
    }
    return this.#controller.signal;
  }

  /** Calls `listener` when the stop begins; at once where it has begun. Costs less than a signal. */
  whenBegun(listener: () => void): void {
    if (this.#hasBegun) listener();
    else this.#listeners.push(listener);
  }

  begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    for (const listener of this.#listeners.splice(0)) listener();
    this.#controller?.abort(new Error('The service is stopping'));
  }
}
