/** Limits the bytes of replies that clients do not read (D50). */
import type { Connection, Exchange } from './connection.ts';

/** The connections with unsent bytes in the process, and the sum of these bytes. */
const unread = new Set<Connection>();
let allUnsent = 0;

/**
 * Holds back what the system has not accepted, until the response is drained or closed. Limits the time in which the
 * client reads any of it. Beyond `maxBodyMemory` bytes of all connections together, closes the connection that holds
 * most, unless it is the only one.
 */
export function holdUnsent({ response, connection, settings }: Exchange): void {
  const { socket } = connection;
  const { maxBodyMemory, writeTimeout } = settings.limits;
  const bytes = response.writableLength;
  connection.unsent += bytes;
  allUnsent += bytes;
  unread.add(connection);
  // Otherwise each write would look at every connection that is not read.
  if (allUnsent > maxBodyMemory) closeLargest(maxBodyMemory);
  socket.setTimeout(writeTimeout);
  // An ended response emits no `drain`.
  const accepted = (): void => {
    response.off('drain', accepted).off('close', accepted);
    connection.unsent -= bytes;
    allUnsent -= bytes;
    if (connection.unsent === 0) {
      unread.delete(connection);
      // Node has set the idle time if no request runs or waits.
      if (connection.running !== undefined || connection.waiting.length > 0) socket.setTimeout(0);
    }
    if (connection.waiting.length > 0) connection.runNext();
  };
  response.once('drain', accepted).once('close', accepted);
}

/** Closes the connection that holds most. Does not count connections that are closed but not released yet. */
function closeLargest(maxUnsent: number): void {
  let sum = 0;
  let most: Connection | undefined;
  for (const connection of unread) {
    if (connection.socket.destroyed) continue;
    sum += connection.unsent;
    if (connection.unsent > (most?.unsent ?? 0)) most = connection;
  }
  if (most !== undefined && most.unsent < sum && sum > maxUnsent) most.socket.destroy();
}
