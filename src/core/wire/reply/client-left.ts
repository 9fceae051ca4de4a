/** Decides whether the client of a stream that waits for more has left, or has only ended its side (D41, D52). */
import type { Exchange } from '../connection/exchange.ts';

/** While bytes are unflushed, the client is checked again after this time, in milliseconds. */
const FLUSH_INTERVAL = 100;

/**
 * Cuts the connection if the client has ended its side and, for `patience` milliseconds, nothing is unflushed and
 * `sentBytes` has not grown. A reply without a length gives no `sentBytes`.
 */
export function cutWhenClientLeft(
  { response, connection: { socket } }: Exchange,
  patience: number,
  sentBytes?: () => number,
): void {
  let timer: NodeJS.Timeout;
  let before = -1;
  const check = (): void => {
    const sent = sentBytes?.() ?? before;
    const isSending = sent !== before;
    before = sent;
    if (socket.writableLength > 0) timer = setTimeout(check, FLUSH_INTERVAL);
    else if (isSending) timer = setTimeout(check, patience);
    else socket.destroy();
  };
  const wait = (): void => {
    timer = setTimeout(check, patience);
  };
  if (socket.readableEnded) wait();
  else socket.once('end', wait);
  response.once('close', () => {
    socket.off('end', wait);
    clearTimeout(timer);
  });
}
