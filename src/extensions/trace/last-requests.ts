/** Keeps the last recordings as JSON, bounded in number and in memory. */
import { EventEmitter } from 'node:events';
import type { Recording, RequestSummary } from './recording.ts';

const MAX_REQUESTS = 50;
/** All recordings together, in bytes of their JSON. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What is kept of a request: the recording as JSON. */
interface Kept {
  readonly summary: RequestSummary;
  readonly json: Buffer;
}

/** The last recordings, the newest first, and an event for each new one. */
export class LastRequests extends EventEmitter<{ added: [RequestSummary] }> {
  kept: readonly Kept[] = [];

  constructor() {
    super();
    // Each page that is open listens.
    this.setMaxListeners(0);
  }

  add(recording: Recording): void {
    const { number, method, target, at, took, status } = recording;
    const summary = { number, method, target, at, took, ...(status !== undefined && { status }) };
    const last = [{ summary, json: Buffer.from(JSON.stringify(recording)) }, ...this.kept].slice(0, MAX_REQUESTS);
    let bytes = 0;
    const end = last.findIndex(({ json }) => (bytes += json.length) > MAX_BYTES);
    this.kept = end < 0 ? last : last.slice(0, end);
    this.emit('added', summary);
  }
}
