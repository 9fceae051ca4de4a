/** Keeps the recordings of the last requests, and tells listeners of new ones. */
import type { Finished, RequestSummary } from '../views/station.ts';

/** The last recordings, the newest first. */
export class LastRequests {
  readonly #most: number;
  #recordings: readonly Finished[] = [];
  readonly #listeners = new Set<(summary: RequestSummary) => void>();

  /** `most` is how many are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  readonly add = (recording: Finished): void => {
    this.#recordings = [recording, ...this.#recordings.slice(0, this.#most - 1)];
    for (const listener of this.#listeners) listener(recording.summary);
  };

  get summaries(): readonly RequestSummary[] {
    return this.#recordings.map(({ summary }) => summary);
  }

  /** The recording with this number; undefined once it is no longer kept. */
  find(number: number): Finished | undefined {
    return this.#recordings.find(({ summary }) => summary.number === number);
  }

  /** The summaries of requests from now on, until `signal` is aborted. */
  async *later(signal: AbortSignal): AsyncGenerator<RequestSummary> {
    const waiting: RequestSummary[] = [];
    let wake = (): void => {};
    const listener = (summary: RequestSummary): void => {
      waiting.push(summary);
      if (waiting.length > this.#most) waiting.shift();
      wake();
    };
    const end = (): void => wake();
    this.#listeners.add(listener);
    signal.addEventListener('abort', end, { once: true });
    try {
      while (!signal.aborted) {
        yield* waiting.splice(0);
        if (waiting.length === 0 && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
      signal.removeEventListener('abort', end);
    }
  }
}
