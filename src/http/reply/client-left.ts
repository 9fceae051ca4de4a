/**
 * Decides whether the client of a stream that waits for more to send has left (D41, D52).
 *
 * Node reports a client that has closed its connection as one that has ended its side, until the second write fails. A
 * client that ended its side and reads on still takes bytes.
 */
import type { Exchange } from '../connection/exchange.ts';

/** While bytes are unflushed, the client is judged again after this time, in milliseconds. */
const FLUSH_INTERVAL = 100;

/**
 * Cuts the connection when the client has ended its side and then, for `patience` milliseconds, nothing is unflushed
 * and `sentBytes` has not grown. A reply without a length gives no `sentBytes` and is cut after the first such time.
 */
export function cutWhenClientLeft(
  { response, connection: { socket } }: Exchange,
  patience: number,
  sentBytes?: () => number,
): void {
  let timer: NodeJS.Timeout,
    before = -1;
  const judge = (): void => {
    const sent = sentBytes?.() ?? before,
      isSending = sent !== before;
    before = sent;
    if (socket.writableLength > 0) timer = setTimeout(judge, FLUSH_INTERVAL);
    else if (isSending) timer = setTimeout(judge, patience);
    else socket.destroy();
  };
  const wait = (): void => {
    timer = setTimeout(judge, patience);
  };
  if (socket.readableEnded) wait();
  else socket.once('end', wait);
  response.once('close', () => {
    socket.off('end', wait);
    clearTimeout(timer);
  });
}
