/**
 * How many bytes of a connection the network has taken.
 *
 * `bytesWritten` counts a piece when it is handed over, `writableLength` until the last byte of it has left: for a file of megabytes
 * in one piece neither tells whether its reader goes on. What the handle still has in its queue does. Both members are Node's own and
 * not documented; where they are absent, as in memory and in later versions, progress shows piece by piece.
 */
import type { Socket } from 'node:net';

type Inside = Socket & {
  readonly _handle?: { readonly writeQueueSize?: number } | null;
  readonly _bytesDispatched?: number;
};

/** In bytes, never falling. NaN for a stream that counts nothing. */
export function flushedBytes(socket: Socket): number {
  const { _handle: handle, _bytesDispatched: dispatched } = socket as Inside;
  if (dispatched !== undefined && handle?.writeQueueSize !== undefined) return dispatched - handle.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}
