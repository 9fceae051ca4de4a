/** Keeps the last recordings as JSON, bounded in number and in memory. */
import { EventEmitter } from 'node:events';
import type { Recording, RequestSummary } from './recording.ts';
import type { Secrets } from './secrets.ts';

const MAX_REQUESTS = 50;
/** All recordings together, in bytes of their JSON. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What is kept of a request: the recording as JSON, and what is hidden in it when it is shown. */
interface Kept {
  readonly summary: RequestSummary;
  readonly json: Buffer;
  readonly secrets: Secrets;
}

/** The last recordings, the newest first, and an event for each new one. */
export class LastRequests extends EventEmitter<{ added: [RequestSummary] }> {
  kept: readonly Kept[] = [];

  constructor() {
    super();
    // Each page that is open listens.
    this.setMaxListeners(0);
  }

  add(recording: Recording, secrets: Secrets): void {
    const { number, method, target, at, took, status } = recording;
    const summary = { number, method, target, at, took, ...(status !== undefined && { status }) };
    const json = Buffer.from(JSON.stringify(recording));
    const last = [{ summary, json, secrets }, ...this.kept].slice(0, MAX_REQUESTS);
    let bytes = 0;
    const end = last.findIndex(({ json }) => (bytes += json.length) > MAX_BYTES);
    this.kept = end < 0 ? last : last.slice(0, end);
    this.emit('added', summary);
  }

  /** The recording of this number, without its secrets; undefined where it is not kept. */
  recording(number: number): Recording | undefined {
    const found = this.kept.find(({ summary }) => summary.number === number);
    return found?.secrets.all(JSON.parse(found.json.toString()) as Recording);
  }
}
