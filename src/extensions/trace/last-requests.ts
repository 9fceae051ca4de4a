/** Keeps the last recordings, bounded in number and in memory. */
import { EventEmitter } from 'node:events';
import type { Finished, RequestSummary } from './recording.ts';

const MAX_REQUESTS = 50;
/** About: header lines and the beginnings of bodies are counted. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The last recordings, the newest first, and an event for each new one. */
export class LastRequests extends EventEmitter<{ added: [RequestSummary] }> {
  recordings: readonly Finished[] = [];

  constructor() {
    super();
    // Each page that is open listens.
    this.setMaxListeners(0);
  }

  add(recording: Finished): void {
    let bytes = 0;
    const fits = (one: Finished): boolean => (bytes += one.bytes) <= MAX_BYTES;
    const last = [recording, ...this.recordings.slice(0, MAX_REQUESTS - 1)];
    const end = last.findIndex((one) => !fits(one));
    this.recordings = end < 0 ? last : last.slice(0, end);
    this.emit('added', recording.summary);
  }
}
