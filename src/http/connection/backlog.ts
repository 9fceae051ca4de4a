/**
 * The requests that wait behind another one of their connection, of all connections together.
 *
 * Sixty-four kilobytes hold two and a half thousand requests, and Node parses a packet to its end whatever is said to it:
 * some hundred connections that ask and never read would fill the memory with requests that wait. So they are counted, and
 * a connection that brings one too many is cut. One client alone cannot bring as many: while any waits, nothing is read.
 */
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';

/** Most requests that wait; each takes about 4 KB. */
const MOST_WAITING = 5000;

export class Backlog {
  readonly #held = new Set<Connection>();
  #size = 0;

  /** Lets a request wait, and its connection be read no further. */
  add(exchange: Exchange): void {
    const { connection } = exchange;
    if (!this.#held.has(connection)) this.#hold(connection);
    connection.waiting.push(exchange);
    if (++this.#size <= MOST_WAITING) return;
    connection.deaf = true;
    connection.socket.destroy();
  }

  /** The request of this connection that has waited longest; reading goes on behind the last one. */
  next(connection: Connection): Exchange | undefined {
    const next = connection.waiting.shift();
    if (next !== undefined) this.#size--;
    if (connection.waiting.length === 0) this.#release(connection);
    return next;
  }

  /** Forgets whatever waits: nothing on this connection will be answered any more. */
  drop(connection: Connection): void {
    this.#size -= connection.waiting.length;
    connection.waiting.length = 0;
    this.#held.delete(connection);
  }

  /** Reads on although requests wait, until another comes. */
  readOn(connection: Connection): void {
    if (this.#held.has(connection)) this.#release(connection);
  }

  #hold(connection: Connection): void {
    const { socket } = connection;
    this.#held.add(connection);
    socket.pause();
    if (connection.holdable) return;
    connection.holdable = true;
    // Node resumes the socket of every request that has been answered.
    socket.on('resume', () => {
      if (this.#held.has(connection)) socket.pause();
    });
    socket.once('close', () => this.drop(connection));
  }

  #release(connection: Connection): void {
    this.#held.delete(connection);
    connection.socket.resume();
  }
}
