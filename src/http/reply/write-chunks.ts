/** Sends a body in chunks at the pace of the client, so that one chunk at most is queued. */
import type { ServerResponse } from 'node:http';

/** Writes each chunk as soon as the client has taken the one before, then the end. Stops when the client has left. */
export function writeChunks(response: ServerResponse, chunks: readonly Uint8Array[]): void {
  let at = 0;
  const proceed = (): void => {
    while (at < chunks.length) {
      if (response.destroyed) return;
      if (!response.write(chunks[at++])) {
        response.once('drain', proceed);
        return;
      }
    }
    response.end();
  };
  proceed();
}
