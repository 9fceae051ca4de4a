/**
 * The end of a reply to a client that is still sending a body which nobody wants.
 *
 * To close under it would reset the connection before it could read the answer: a 413 would look like a broken network. So
 * the rest is read and thrown away, for a while, and the response ended – and with it the connection – when it is over.
 */
import type { Exchange } from './exchange.ts';
import { isMostlyFraming } from './framing-cost.ts';
import { LINGER } from './wire-errors.ts';

/** Ends the response once the request is in, or too much or too long a rest of it: `maxDrain`, `drainTimeout`. */
export function lingeringEnd({ request, response, broken, settings: { limits } }: Exchange): void {
  const { socket } = request;
  if (request.complete || request.destroyed || socket.readableEnded) {
    response.end();
    return;
  }
  const readBefore = socket.bytesRead;
  let drained = 0;
  const end = (): void => {
    clearTimeout(timer);
    request.off('data', count).off('end', end);
    socket.off('end', end);
    if (!response.writableEnded) response.end();
  };
  const count = (chunk: Uint8Array): void => {
    drained += chunk.length;
    if (drained > limits.maxDrain || isMostlyFraming(socket.bytesRead - readBefore, drained)) end();
  };
  const timer = setTimeout(end, broken === undefined ? limits.drainTimeout : Math.min(limits.drainTimeout, LINGER));
  response.flushHeaders();
  request.on('end', end).on('data', count).resume();
  response.once('close', end);
  // A client that has ended its side sends nothing more.
  socket.once('end', end);
}
