/**
 * Holds the state of one connection.
 *
 * The requests of a connection run one after another. A request waits while another request runs or waits, or while the
 * client does not read its replies. The socket is paused while requests wait. But Node parses the whole packet that it
 * has read, and a packet of 64 KB can hold 2,500 requests, so the requests need a queue.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import type { Limits } from '../../http/limits.ts';
import { ClientGone } from '../../http/problem.ts';
import type { Exchange } from './exchange.ts';
import { isHandedOver } from './node-internals.ts';

/** A body that is being read. */
export interface IncomingBody {
  readonly exchange: Exchange;
  /** True for a stream, whose request has no time limit. */
  readonly isStream: boolean;
  /** True for a stream while its handler does not read. A slow body is then not the client's fault. */
  readonly waitsForHandler: boolean;
  fail(error: Error): void;
}

/** The maximum number of waiting requests in the process. Each request takes about 4 KB. */
const MAX_WAITING = 5000;
let allWaiting = 0;

/** The number of requests that are read on behind a reply that may never end. */
const MAX_READ_ON = 100;

/** The connections with unsent bytes in the process, and the sum of these bytes. */
const unread = new Set<Connection>();
let allUnsent = 0;

/** The next request waits while more than this number of reply bytes is unsent. */
const MAX_UNSENT = 64 * 1024;

export class Connection {
  readonly socket: Socket;
  /** The request whose handler runs, or whose reply takes more than one write. */
  running: Exchange | undefined = undefined;
  /** The functions that run the waiting requests, in order. */
  readonly waiting: (() => void)[] = [];
  /** The last request whose head has arrived. */
  received: Exchange | undefined = undefined;
  reading: IncomingBody | undefined = undefined;
  /** `ignored` after a parser error, and above `maxConnections`: no further request is answered. */
  input: 'open' | 'ignored' = 'open';
  /** `close-next`: the next reply has `Connection: close`. `closing`: no further request runs (RFC 9112 §9.6). */
  output: 'keep-alive' | 'close-next' | 'closing' = 'keep-alive';
  /** The bytes of replies that the system has not accepted, because the client does not read them. */
  unsent = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.once('close', () => {
      this.dropWaiting();
      unread.delete(this);
      this.reading?.fail(new ClientGone());
    });
  }

  /** True if a request that arrives now can run at once. */
  get isFree(): boolean {
    return this.running === undefined && this.waiting.length === 0 && this.unsent <= MAX_UNSENT;
  }

  /** Queues a request, and pauses the socket. */
  enqueue(run: () => void): void {
    this.waiting.push(run);
    if (!this.readsOn && !this.socket.isPaused()) this.pauseReading();
    if (++allWaiting <= MAX_WAITING) return;
    this.input = 'ignored';
    this.socket.destroy();
  }

  /** Runs the next request, unless another request runs or the client must read first. */
  runNext(): void {
    if (this.output === 'closing') return this.dropWaiting();
    // A thousand requests in one packet must not become a thousand nested calls.
    setImmediate(() => {
      if (this.running !== undefined || this.unsent > MAX_UNSENT) return;
      const run = this.waiting.shift();
      if (run === undefined) return;
      allWaiting--;
      if (this.waiting.length === 0) this.readOn();
      run();
    });
  }

  /** True if further requests are read behind a reply that may never end, to see that the client leaves. */
  get readsOn(): boolean {
    return this.running?.hasOpenEndedReply === true && this.waiting.length <= MAX_READ_ON;
  }

  /** Pauses the socket until `readOn`. Node resumes a socket after every reply, so it is then paused again. */
  pauseReading(): void {
    this.socket.off('resume', pause).on('resume', pause).pause();
  }

  readOn(): void {
    this.socket.off('resume', pause).resume();
  }

  /** Ends the pause of a body that was left unread. */
  readBodyOn(): void {
    if (this.waiting.length === 0 && this.socket.isPaused()) this.readOn();
  }

  /**
   * Counts bytes that the client must read, and limits the time in which it reads any of them. Beyond `maxUnsent` bytes
   * of all connections together, closes the connection that holds most, unless it is the only one (D50). Returns a
   * function to call when the system has accepted the bytes.
   */
  holdBack(bytes: number, { maxBodyMemory: maxUnsent, writeTimeout }: Limits): () => void {
    this.unsent += bytes;
    allUnsent += bytes;
    unread.add(this);
    // Otherwise each write would look at every connection that is not read.
    if (allUnsent > maxUnsent) closeLargest(maxUnsent);
    this.socket.setTimeout(writeTimeout);
    return () => {
      this.unsent -= bytes;
      allUnsent -= bytes;
      if (this.unsent === 0) {
        unread.delete(this);
        // Node has set the idle time if no request runs or waits.
        if (this.running !== undefined || this.waiting.length > 0) this.socket.setTimeout(0);
      }
      if (this.waiting.length > 0) this.runNext();
    };
  }

  /** Empties the queue, because the connection answers no further request. */
  private dropWaiting(): void {
    allWaiting -= this.waiting.length;
    this.waiting.length = 0;
    this.socket.off('resume', pause);
  }

  closeAfterReply(): void {
    if (this.output === 'keep-alive') this.output = 'close-next';
  }

  /** True if a listener for upgrades has taken the connection (RFC 9110 §7.8), which then has no time limits. */
  get isUpgraded(): boolean {
    return this.input === 'open' && isHandedOver(this.socket);
  }

  /** True if no request runs or waits, and every reply is sent. */
  get idle(): boolean {
    return this.running === undefined && this.waiting.length === 0 && this.unsent === 0;
  }
}

/** Closes the connection that holds most. Does not count connections that are closed but not released yet. */
function closeLargest(maxUnsent: number): void {
  let sum = 0;
  let most: Connection | undefined;
  for (const connection of unread) {
    sum += connection.unsent;
    if (connection.unsent > (most?.unsent ?? 0)) most = connection;
  }
  if (most === undefined || sum <= maxUnsent || unread.size === 1) return;
  unread.delete(most);
  most.socket.destroy();
}

function pause(this: Socket): void {
  this.pause();
}

/** True if the system has accepted every byte. `writableFinished` becomes true later, at `finish` (Node 24). */
export const isFlushed = ({ writableEnded, writableLength }: ServerResponse): boolean =>
  writableEnded && writableLength === 0;

const CONNECTION: unique symbol = Symbol('connection');

/** Returns the connection of this socket. Creates it at the first call. */
export function connectionOf(socket: Socket): Connection {
  const tracked = socket as Socket & { [CONNECTION]?: Connection };
  return (tracked[CONNECTION] ??= new Connection(socket));
}
