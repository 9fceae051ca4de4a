/**
 * Holds the pipelined requests that wait behind another one.
 *
 * They wait only behind a handler that has not answered, or while the client does not read. Their connection is paused,
 * but Node parses a packet to its end all the same, and 64 KB hold 2,500 requests.
 */
import type { Connection } from './connection/exchange.ts';

/** On all connections of the process together. Each takes about 4 KB. */
const MAX_WAITING = 5000;
let size = 0;

/** Queues what runs a request, and pauses its connection. */
export function enqueue(connection: Connection, run: () => void): void {
  const { socket, waiting } = connection;
  if (connection.isHeld === undefined) {
    // Node resumes the socket after every reply.
    socket.on('resume', () => connection.isHeld && socket.pause());
    socket.once('close', () => dropWaiting(connection));
  }
  connection.isHeld = true;
  socket.pause();
  waiting.push(run);
  if (++size <= MAX_WAITING) return;
  connection.input = 'ignored';
  socket.destroy();
}

/** Removes the first request from the queue of this connection; resumes the connection behind the last. */
export function dequeue(connection: Connection): (() => void) | undefined {
  const next = connection.waiting.shift();
  if (next !== undefined) size--;
  if (connection.waiting.length === 0) readOn(connection);
  return next;
}

/** Empties the queue of a connection that answers nothing more. */
export function dropWaiting(connection: Connection): void {
  size -= connection.waiting.length;
  connection.waiting.length = 0;
  connection.isHeld = false;
}

/** Resumes a connection although requests wait on it, until another one comes. */
export function readOn(connection: Connection): void {
  if (connection.isHeld !== true) return;
  connection.isHeld = false;
  connection.socket.resume();
}
