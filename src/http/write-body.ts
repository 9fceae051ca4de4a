/** Bodies larger than one write: sent at the pace of the client, so that no more than a chunk is held for one that does not read. */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** One chunk after the other as the client takes them; then `end`, unless the client has left. */
export function writeChunks(response: ServerResponse, chunks: readonly Uint8Array[], end: () => void): void {
  let at = 0;
  const proceed = (): void => {
    while (at < chunks.length) {
      if (response.destroyed) return;
      if (!response.write(chunks[at++])) {
        response.once('drain', proceed);
        return;
      }
    }
    end();
  };
  proceed();
}

/** The stream to its end; then `end`. It is destroyed when the client leaves. */
export function writeStream(response: ServerResponse, body: Readable, end: () => void): void {
  // A body that fails half-way cannot be unsaid: the connection is cut, so that nobody takes a part for the whole.
  body.on('error', () => response.destroy());
  response.once('close', () => body.destroy());
  body.on('end', end);
  body.pipe(response, { end: false });
}
