/**
 * The state of one connection.
 *
 * Its requests run one after the other. A request waits while the one before it is answered, or while the client does
 * not read. The socket is paused meanwhile, but Node parses the packet that it has read to its end, and 64 KB hold
 * 2,500 requests.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { ClientGone } from '../../message/problem.ts';
import type { Exchange } from './exchange.ts';
import { isHandedOver } from './node-internals.ts';

/** A body that is read while it comes in. */
export interface IncomingBody {
  readonly exchange: Exchange;
  /** In bytes; of a stream, since its rate was last judged. */
  received: number;
  /** For how many ticks of the watch its client was waited for; -1 before the first. */
  ticks: number;
  /** It is handed on as it comes in: its rate is judged from time to time, and the whole request has no time limit. */
  readonly isStream: boolean;
  /** It is a stream of which the handler wants nothing at present, so the client is not at fault. */
  readonly waitsForHandler: boolean;
  /** Bytes of the stream that the handler has taken. Each chunk restarts the time to reply. */
  readonly taken: number;
  fail(error: Error): void;
}

/** The most requests that wait on all connections of the process together. Each takes about 4 KB. */
const MAX_WAITING = 5000;
let allWaiting = 0;

/** Bytes of replies, heads included, that may be unflushed while a client sends more requests and does not read. */
const MAX_UNFLUSHED_BYTES = 64 * 1024;

export class Connection {
  readonly socket: Socket;
  /** The request whose handler runs, or whose reply takes more than one write. */
  running: Exchange | undefined = undefined;
  /** What runs the requests behind it, in order. */
  readonly waiting: (() => void)[] = [];
  /** Is the socket paused because requests wait? Undefined before the first has waited. */
  private isHeld: boolean | undefined = undefined;
  /** The last request whose head has come in. */
  received: Exchange | undefined = undefined;
  reading: IncomingBody | undefined = undefined;
  /** Requests that have run, the running one included. */
  requests = 0;
  /** `ignored` once the parser has failed or a limit of connections is exceeded: no further request is answered. */
  input: 'open' | 'ignored' = 'open';
  /** After `close-next` the next reply says `Connection: close`; after `closing` no request runs (RFC 9112 §9.6). */
  output: 'keep-alive' | 'close-next' | 'closing' = 'keep-alive';
  /** Bytes of replies in one piece since the client is known to have taken all of them. */
  unflushedBytes = 0;
  /** Bytes that the client had taken when its rate was last judged. */
  flushedBefore = 0;
  private lastResponse: ServerResponse | undefined = undefined;
  private readonly ticks = new Map<string, { readonly state: number; readonly count: number }>();

  constructor(socket: Socket) {
    this.socket = socket;
    socket.once('close', () => this.reading?.fail(new ClientGone()));
  }

  /** For how many ticks of the watch in a row this has been in the same state; 0 for a new state, and for NaN. */
  ticksOf(what: string, state: number): number {
    const before = this.ticks.get(what);
    const count = before?.state === state ? before.count + 1 : 0;
    this.ticks.set(what, { state, count });
    return count;
  }

  /** Queues what runs a request, and pauses the socket. */
  enqueue(run: () => void): void {
    const { socket } = this;
    if (this.isHeld === undefined) {
      // Node resumes the socket after every reply.
      socket.on('resume', () => this.isHeld && socket.pause());
      socket.once('close', () => this.dropWaiting());
    }
    this.isHeld = true;
    socket.pause();
    this.waiting.push(run);
    if (++allWaiting <= MAX_WAITING) return;
    this.input = 'ignored';
    socket.destroy();
  }

  /** Runs the next request, once the client has read what was sent to it. */
  runNext(): void {
    if (this.output === 'closing') return this.dropWaiting();
    const { backpressure } = this;
    if (backpressure !== undefined) return void backpressure.once('finish', () => this.runNext());
    // A thousand requests in one packet must not become a thousand nested calls.
    setImmediate(() => {
      if (this.running !== undefined) return;
      const run = this.waiting.shift();
      if (run !== undefined) allWaiting--;
      if (this.waiting.length === 0) this.readOn();
      run?.();
    });
  }

  /** Resumes the socket although requests wait, until another one comes. */
  readOn(): void {
    if (this.isHeld !== true) return;
    this.isHeld = false;
    this.socket.resume();
  }

  /** Empties the queue of a connection that answers nothing more. */
  private dropWaiting(): void {
    allWaiting -= this.waiting.length;
    this.waiting.length = 0;
    this.isHeld = false;
  }

  closeAfterReply(): void {
    if (this.output === 'keep-alive') this.output = 'close-next';
  }

  /** Counts the bytes of a reply in one write. Node holds those behind an unflushed reply outside the socket. */
  recordWrite(response: ServerResponse, bytes: number): void {
    // A flushed response is not kept: it would survive each garbage collection until the next request. With 64
    // connections that took 13 MB after GETs and 23 MB after PUTs.
    const flushed = isFlushed(response);
    this.lastResponse = flushed ? undefined : response;
    this.unflushedBytes = flushed ? 0 : this.unflushedBytes + bytes;
  }

  /** The last response, if the client has to read it before another reply is made. */
  get backpressure(): ServerResponse | undefined {
    if (this.unflushedBytes <= MAX_UNFLUSHED_BYTES) return undefined;
    if (this.lastResponse !== undefined) this.recordWrite(this.lastResponse, 0);
    return this.lastResponse;
  }

  /** A listener for upgrades has taken it from HTTP (RFC 9110 §7.8). The limits of time do not hold for it. */
  get isUpgraded(): boolean {
    return this.input === 'open' && isHandedOver(this.socket);
  }

  /** Nothing runs, nothing waits, and every reply is flushed. */
  get idle(): boolean {
    return (
      this.running === undefined &&
      this.waiting.length === 0 &&
      this.socket.writableLength === 0 &&
      (this.received === undefined || isFlushed(this.received.response))
    );
  }
}

/** Has the system taken every byte? `writableFinished` says so later from Node 24 on: at `finish`. */
export const isFlushed = ({ writableEnded, writableLength }: ServerResponse): boolean =>
  writableEnded && writableLength === 0;

const CONNECTION: unique symbol = Symbol('connection');

/** The connection of this socket. Made when it is first asked for. */
export function connectionOf(socket: Socket): Connection {
  const tracked = socket as Socket & { [CONNECTION]?: Connection };
  return (tracked[CONNECTION] ??= new Connection(socket));
}

/** The same number while a connection is idle: a request between two ticks changes it. Not a number while it is busy. */
export const idleState = ({ idle, requests }: Connection): number => (idle ? requests : Number.NaN);
