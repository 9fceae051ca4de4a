/**
 * Sends a long list in parts, as it was when it was read, while its items change.
 *
 * The streams of one state of the list share its texts. A text that an item has no longer stays in memory until they
 * have closed.
 */
import { Readable } from 'node:stream';

/** Characters that are joined to one part. A longer text is a part of its own. */
const PART_LENGTH = 64 * 1024;
/** Memory of the texts that only streams still need, in bytes. Beyond it the streams that need most are destroyed. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;

/** One state of the list. */
export interface Snapshot {
  readonly texts: readonly string[];
  /** The number of changes that the list had when it was read. */
  readonly count: number;
  readonly streams: Set<Readable>;
  /** Memory of its texts that have been replaced or removed since. */
  oldBytes: number;
}

/** The states of a list that are being sent. */
export class ListSnapshots {
  readonly #open = new Set<Snapshot>();
  readonly #maxOldBytes: number;

  constructor(maxOldBytes = MAX_OLD_BYTES) {
    this.#maxOldBytes = maxOldBytes;
  }

  /** A stream of the JSON array of a snapshot, of which a part is joined when its client has taken the one before. */
  stream(snapshot: Snapshot): Readable {
    const stream = Readable.from(parts(snapshot.texts), { highWaterMark: 0 });
    this.#open.add(snapshot);
    snapshot.streams.add(stream);
    return stream.once('close', () => {
      snapshot.streams.delete(stream);
      if (snapshot.streams.size === 0) this.#open.delete(snapshot);
    });
  }

  /** Is called when the list loses a text. `count` is the number of the change that wrote it, `bytes` is its memory. */
  lost(count: number, bytes: number): void {
    let sum = 0;
    for (const snapshot of this.#open) {
      if (count <= snapshot.count) snapshot.oldBytes += bytes;
      sum += snapshot.oldBytes;
    }
    while (sum > this.#maxOldBytes) {
      const [most] = [...this.#open].sort((one, other) => other.oldBytes - one.oldBytes);
      sum -= most!.oldBytes;
      this.#open.delete(most!);
      for (const stream of most!.streams)
        stream.destroy(new Error('Its client reads a large list too slowly while its items change'));
    }
  }
}

function* parts(texts: readonly string[]): Generator<string> {
  let start = 0;
  let length = 0;
  for (const [at, text] of texts.entries()) {
    length += text.length;
    if (length < PART_LENGTH && at < texts.length - 1) continue;
    yield (start === 0 ? '[' : ',') + texts.slice(start, at + 1).join(',');
    start = at + 1;
    length = 0;
  }
  yield ']';
}
