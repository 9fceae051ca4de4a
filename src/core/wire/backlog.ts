/**
 * Holds the pipelined requests that wait behind another one.
 *
 * A request waits while the one before it is answered, or while the client does not read. The connection is paused
 * meanwhile, but Node parses the packet that it has read to its end, and 64 KB hold 2,500 requests.
 */
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
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

/** Runs the next request of this connection, once its client has read what was sent to it. */
export function runNext(connection: Connection): void {
  if (connection.output === 'closing') return dropWaiting(connection);
  const { backpressure } = connection;
  if (backpressure !== undefined) return void backpressure.once('finish', () => runNext(connection));
  // A thousand requests in one packet must not become a thousand nested calls.
  setImmediate(() => {
    if (connection.running === undefined) dequeue(connection)?.();
  });
}

/** Removes the first request from the queue of this connection; resumes the connection behind the last. */
function dequeue(connection: Connection): (() => void) | undefined {
  const next = connection.waiting.shift();
  if (next !== undefined) size--;
  if (connection.waiting.length === 0) readOn(connection);
  return next;
}

/** Empties the queue of a connection that answers nothing more. */
function dropWaiting(connection: Connection): void {
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
