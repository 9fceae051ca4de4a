/** Bounds the memory of long lists that are sent as they were when they were read, while their items change (D82). */
import type { Readable } from 'node:stream';

/** A list as it was at one moment. */
export interface SentList {
  readonly streams: Set<Readable>;
  /** The bytes that only these streams still need. */
  oldBytes: number;
}

/** The most bytes that only streams still need. Above this limit, the streams that need the most are destroyed. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;

/** The lists that are being sent. */
export class SentLists<List extends SentList> extends Set<List> {
  /** Keeps a list until all its streams are closed. */
  send(list: List, stream: Readable): void {
    this.add(list);
    list.streams.add(stream);
    stream.once('close', () => {
      list.streams.delete(stream);
      if (list.streams.size === 0) this.delete(list);
    });
    this.cutSlowStreams();
  }

  /** Destroys the streams that need the most memory, until the rest needs at most `MAX_OLD_BYTES`. */
  cutSlowStreams(): void {
    let sum = 0;
    for (const { oldBytes } of this) sum += oldBytes;
    while (sum > MAX_OLD_BYTES) {
      const [most] = [...this].sort((one, other) => other.oldBytes - one.oldBytes);
      sum -= most!.oldBytes;
      this.delete(most!);
      for (const stream of most!.streams)
        stream.destroy(new Error('The client reads a large list too slowly while its items change'));
    }
  }
}
