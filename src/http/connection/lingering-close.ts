/**
 * Decides how a connection ends whose client may still be sending: our side ends behind the last answer at once, and what comes in
 * is read and thrown away for a while (D40, RFC 9112 §9.6).
 *
 * Bytes that are unread when a socket is closed make the kernel reset the connection, and a reset throws away what the client has
 * not read of the answer yet: a 413 would look like a broken network. Over TLS the same holds: our side ends with `close_notify`.
 */
import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';

/** How long a lingering close may last, and how much it may read. */
export type LingeringLimits = Pick<Limits, 'drainTimeout' | 'maxDrain'>;

/** Sends `last`, ends our side, and closes the connection when the client has ended its side or a limit is reached. */
export function closeLingering(socket: Socket, { drainTimeout, maxDrain }: LingeringLimits, last?: string): void {
  const destroy = (): void => void socket.destroy();
  const destroyWhenFlushed = (): void => {
    if (socket.writableFinished) destroy();
    else socket.once('finish', destroy);
  };
  const timer = setTimeout(destroy, drainTimeout).unref();
  // Node ends the connection again for each of its own reasons.
  socket.destroySoon = nothing;
  socket.once('close', () => clearTimeout(timer)).on('error', destroy);
  if (last !== undefined && !socket.writableEnded) socket.write(last);
  if (!socket.writableEnded) socket.end();
  if (socket.readableEnded) return destroyWhenFlushed();
  socket.once('end', destroyWhenFlushed);
  const drain = (): void => {
    let drained = 0;
    // Nothing further is parsed: the parser would complain, or find requests that nobody answers.
    socket.removeAllListeners('data').on('data', (chunk: Uint8Array) => {
      drained += chunk.length;
      if (drained > maxDrain) destroy();
    });
  };
  // Not while it is paused: with its parser the socket loses what begins to read again.
  if (socket.isPaused()) socket.once('resume', drain).resume();
  else drain();
}

const nothing = (): void => {};

/** Makes Node end this connection by a lingering close, once the last reply is written. */
export function useLingeringClose(socket: Socket, limits: LingeringLimits): void {
  if (socket.readableEnded || socket.destroySoon === nothing) return;
  // Named: one that is written right into the property is made among the old objects; see `read-body.ts`.
  function destroyLingering(): void {
    closeLingering(socket, limits);
  }
  socket.destroySoon = destroyLingering;
}
