/**
 * Closes a connection whose client may still be sending: reads and discards bytes for a while. Closing with unread
 * bytes would reset the connection, and the client would lose the rest of the reply (D40, RFC 9112 §9.6).
 */
import type { Socket } from 'node:net';
// Imported, because a test may replace the global timers by fake timers.
import { clearTimeout, setTimeout } from 'node:timers';
import type { Limits } from '../../http/limits.ts';
import { detachParser, replaceClose } from './node-internals.ts';

/** The maximum number of bytes to discard. After more bytes, the connection is destroyed. */
const MAX_DISCARDED_BYTES = 16 * 2 ** 20;

/** Writes `last`, ends our side, and closes the connection when the client has ended its side or a limit is reached. */
export function closeLingering(socket: Socket, { drainTimeout }: Limits, last?: string): void {
  const destroy = (): void => void socket.destroy();
  const destroyWhenFlushed = (): void => {
    if (socket.writableFinished) destroy();
    else socket.once('finish', destroy);
  };
  const timer = setTimeout(destroy, drainTimeout).unref();
  replaceClose(socket, ignoreClose);
  socket.once('close', () => clearTimeout(timer)).on('error', destroy);
  if (last !== undefined && !socket.writableEnded) socket.write(last);
  if (!socket.writableEnded) socket.end();
  if (socket.readableEnded) return destroyWhenFlushed();
  socket.once('end', destroyWhenFlushed);
  let left = MAX_DISCARDED_BYTES;
  const drain = (chunk: Uint8Array): void => {
    left -= chunk.length;
    if (left < 0) destroy();
  };
  // Detach the parser after the resume. If it is detached while the socket is paused, the socket never reads again.
  socket
    .pause()
    .once('resume', () => detachParser(socket, drain))
    .resume();
}

/** Ignores later attempts of Node to close the connection, because the lingering close has begun. */
function ignoreClose(): void {}

/** Makes Node close this connection with a lingering close after the last reply. */
export function useLingeringClose(socket: Socket, limits: Limits): void {
  if (socket.readableEnded || socket.destroySoon === ignoreClose) return;
  replaceClose(socket, () => closeLingering(socket, limits));
}
