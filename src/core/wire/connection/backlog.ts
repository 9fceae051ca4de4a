/**
 * Bounds the pipelined requests that wait behind another one, on all connections together.
 *
 * Node parses a packet to its end even when the socket is paused, and 64 KB hold 2,500 requests.
 */
import type { Connection, Exchange } from './exchange.ts';

/** Each takes about 4 KB. */
const MAX_WAITING_REQUESTS = 5000;

export class Backlog {
  readonly #paused = new Set<Connection>();
  #size = 0;

  /** Queues a request and pauses its connection. */
  add(exchange: Exchange): void {
    const { connection } = exchange;
    if (!this.#paused.has(connection)) this.#pause(connection);
    connection.waiting.push(exchange);
    if (++this.#size <= MAX_WAITING_REQUESTS) return;
    connection.ignoreInput();
    connection.socket.destroy();
  }

  /** Removes the first request from the queue of this connection; resumes the connection behind the last. */
  next(connection: Connection): Exchange | undefined {
    const next = connection.waiting.shift();
    if (next !== undefined) this.#size--;
    if (connection.waiting.length === 0) this.#resume(connection);
    return next;
  }

  /** Empties the queue of a connection that answers nothing more. */
  drop(connection: Connection): void {
    this.#size -= connection.waiting.length;
    connection.waiting.length = 0;
    this.#paused.delete(connection);
  }

  /** Resumes a connection although requests wait on it, until another one comes. */
  readOn(connection: Connection): void {
    if (this.#paused.has(connection)) this.#resume(connection);
  }

  #pause(connection: Connection): void {
    const { socket } = connection;
    this.#paused.add(connection);
    socket.pause();
    if (connection.resumeHandlerInstalled) return;
    connection.resumeHandlerInstalled = true;
    // Node resumes the socket after every reply.
    socket.on('resume', () => {
      if (this.#paused.has(connection)) socket.pause();
    });
    socket.once('close', () => this.drop(connection));
  }

  #resume(connection: Connection): void {
    this.#paused.delete(connection);
    connection.socket.resume();
  }
}
