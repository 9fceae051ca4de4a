/**
 * What is known of one connection, so that every request on it gets one answer, whole and in order.
 *
 * Node calls the handler for a pipelined request while the one before is still at work, and answers a parser's refusal
 * in the middle of either. Here the requests of a connection run one after the other, and a refusal waits its turn.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { BodyReader } from '../body/read-body.ts';
import { ClientGone } from '../message/client-gone.ts';
import type { Exchange } from './exchange.ts';
import { flushedBytes } from './flushed-bytes.ts';

const CONNECTION: unique symbol = Symbol('connection');
type TrackedSocket = Socket & { [CONNECTION]?: Connection };

/** Bytes of replies, heads included, that may wait in memory for a client which asks on without reading. */
const MOST_OWED = 64 * 1024;

/** The state of one connection. */
export class Connection {
  readonly socket: Socket;
  /** The request that runs: its handler is at work, or a reply larger than one write is on its way. */
  running: Exchange | undefined = undefined;
  /** Requests that came after it. */
  readonly waiting: Exchange[] = [];
  /** The last request whose head has come in. */
  received: Exchange | undefined = undefined;
  /** The reader that waits for the rest of a body. */
  reading: BodyReader | undefined = undefined;
  /** The parser gave up on what comes in, or the connection is one too many: nothing further is answered. */
  deaf = false;
  /** What comes in behind the last request is lost: its reply says that the connection ends. */
  last = false;
  /** A reply has said that the connection ends with it: what came in behind it is not executed, as nobody would learn of it. */
  over = false;
  /** Requests that ran, the one that runs included. */
  requests = 0;
  /** The last reply that left in one piece, and the bytes of all such since the client was last known to have taken them. */
  sent: ServerResponse | undefined = undefined;
  owed = 0;
  /** `Backlog` listens to the socket. */
  holdable = false;
  private looks = 0;
  private quietLooks = 0;
  private bytesSeen = 0;
  private waitsFor: Exchange | undefined = undefined;
  private waitLooks = 0;
  private flushLooks = 0;
  private flushedBefore = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.once('close', () => this.reading?.fail(new ClientGone()));
  }

  /** So many bytes more have been sent with a reply that has not left yet. */
  owes(response: ServerResponse, bytes: number): void {
    this.sent = response;
    this.owed += bytes;
  }

  /** Everything that was sent has left. */
  paid(): void {
    this.sent = undefined;
    this.owed = 0;
  }

  /** The client has not taken what it was sent: nothing more is made for it until it has. */
  isBehind(): boolean {
    if (this.owed <= MOST_OWED) return false;
    if (!this.sent!.writableFinished) return true;
    this.paid();
    return false;
  }

  /**
   * How many looks in a row, this one included, found nothing to be done; and at how many of the last ones nothing had come in.
   * Bytes that belong to no request yet may be the beginning of one or only line feeds, which Node passes over between requests.
   */
  idleLooks(): { readonly idle: number; readonly quiet: number } {
    const { bytesRead } = this.socket;
    this.looks = this.idle ? this.looks + 1 : 0;
    this.quietLooks = this.idle && bytesRead === this.bytesSeen ? this.quietLooks + 1 : 0;
    this.bytesSeen = bytesRead;
    return { idle: this.looks, quiet: this.quietLooks };
  }

  /** How many looks in a row the request that runs has waited for its reply; the time for its body to come in is not counted. */
  waitingLooks(): number {
    const { running } = this;
    const waits = running !== undefined && !running.answered && this.reading === undefined;
    this.waitLooks = waits && running === this.waitsFor ? this.waitLooks + 1 : 0;
    this.waitsFor = waits ? running : undefined;
    return this.waitLooks;
  }

  /**
   * How many bytes the client has taken in the last `looks` looks, in each of which some were waiting for it; undefined until that
   * many have passed. Each answer begins a new count.
   */
  takenIn(looks: number): number | undefined {
    if (this.socket.writableLength === 0) {
      this.flushLooks = 0;
      return undefined;
    }
    const flushed = flushedBytes(this.socket);
    if (this.flushLooks === 0) this.flushedBefore = flushed;
    if (this.flushLooks++ < looks) return undefined;
    const taken = flushed - this.flushedBefore;
    this.flushLooks = 1;
    this.flushedBefore = flushed;
    return taken;
  }

  /** Nothing runs, nothing waits and everything has been handed to the network. */
  get idle(): boolean {
    return (
      this.running === undefined &&
      this.waiting.length === 0 &&
      this.socket.writableLength === 0 &&
      (this.received === undefined || this.received.response.writableFinished)
    );
  }
}

/** The state of the connection behind this socket; made at its first use. */
export function connectionOf(socket: Socket): Connection {
  const tracked = socket as TrackedSocket;
  return (tracked[CONNECTION] ??= new Connection(socket));
}
