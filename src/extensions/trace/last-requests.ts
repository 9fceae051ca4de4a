/** Keeps the last recordings as JSON, bounded in number and in memory. */
import { EventEmitter, once } from 'node:events';
import { type Recording, type RequestSummary, shown } from './recording.ts';
import type { Secrets } from './secrets.ts';

const MAX_REQUESTS = 50;
/** All recordings together, with what is kept beside them. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What is kept of a request: the recording as JSON, and what is hidden in it when it is shown. */
interface Kept {
  readonly summary: RequestSummary;
  readonly json: Buffer;
  readonly secrets: Secrets;
}

/** The last recordings, the newest first, and an event for each new one. */
export class LastRequests extends EventEmitter<{ added: [] }> {
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
    const end = last.findIndex((one) => (bytes += bytesOf(one)) > MAX_BYTES);
    this.kept = end < 0 ? last : last.slice(0, end);
    this.emit('added');
  }

  /** The recording of this number, without its secrets; undefined where it is not kept. */
  recording(number: number): Recording | undefined {
    const found = this.kept.find(({ summary }) => summary.number === number);
    return found && shown(JSON.parse(found.json.toString()) as Recording, found.secrets);
  }

  /** The requests that are kept, the newest first, without their secrets. */
  summaries(): readonly RequestSummary[] {
    return this.kept.map(summaryOf);
  }

  /** Each further request, the oldest first. A slow reader misses the requests that have been dropped. */
  async *added(signal: AbortSignal): AsyncGenerator<RequestSummary> {
    let [last] = this.kept;
    for (;;) {
      const end = this.kept.findIndex((one) => one === last);
      const added = end < 0 ? this.kept : this.kept.slice(0, end);
      [last] = this.kept;
      for (const one of added.toReversed()) yield summaryOf(one);
      if (this.kept[0] === last) await once(this, 'added', { signal });
    }
  }
}

const summaryOf = ({ summary, secrets }: Kept): RequestSummary => secrets.search().all(summary);

const bytesOf = ({ summary, json, secrets }: Kept): number => json.length + secrets.length + summary.target.length;
