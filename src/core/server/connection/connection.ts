/**
 * Holds the state of a connection and of its requests. Only `core/server` changes it.
 *
 * The requests of a connection run one after another. A request waits while another request runs or waits, or while the
 * client does not read its replies. The socket is paused while requests wait. But Node parses the whole packet that it
 * has read, and a packet of 64 KB can hold 2,500 requests, so the requests need a queue.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { ClientGone, type HttpProblem } from '../../http/problem.ts';
import type { SlottedContext } from '../../http/slotted-context.ts';
import type { ServerSettings } from '../served.ts';
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
  /** The `Host` of the last request, which is valid. */
  host: string | undefined = undefined;
  /** The bytes of replies that the system has not accepted, because the client does not read them. */
  unsent = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.once('close', () => {
      this.dropWaiting();
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

function pause(this: Socket): void {
  this.pause();
}

const CONNECTION: unique symbol = Symbol('connection');

/** Returns the connection of this socket. Creates it at the first call. */
export function connectionOf(socket: Socket): Connection {
  const tracked = socket as Socket & { [CONNECTION]?: Connection };
  return (tracked[CONNECTION] ??= new Connection(socket));
}

/**
 * The states of a request, in their order. `reading`: the head has arrived, and the request waits for its turn.
 * `handling`: the handler runs. `writing`: the head of the reply is written, so no other reply can be sent. `done`: the
 * reply is written, or cannot be written.
 */
type State = 'reading' | 'handling' | 'writing' | 'done';

export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly settings: ServerSettings;
  /** Passes the request to the next handler of the framework that has mounted the listener (D78). */
  readonly next: (() => void) | undefined;
  state: State = 'reading';
  /** True if a reply has started, or can no longer be sent. */
  replyStarted = false;
  requestId = '';
  /** The value that the stages get. It is set when the request is valid or refused, before any stage runs. */
  context!: SlottedContext;
  /** The query of the target; undefined until a handler reads it. */
  searchParams: URLSearchParams | undefined = undefined;

  // The body.
  /** The length of the body that the head announces, in bytes; 0 for a request without a body. */
  bodyLength: number | 'chunked' = 0;
  /** The maximum length of the body in bytes; undefined to use the limit of the server. */
  bodyLimit: number | undefined = undefined;
  /** The bytes that the body takes from `settings.bodies`, the memory that all bodies share. */
  bodyMemory = 0;
  /** True if the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue: boolean;
  bodyFailure: HttpProblem | undefined = undefined;
  /** The body in memory; undefined until it is read. */
  wholeBody: Promise<Uint8Array> | undefined = undefined;

  // The reply.
  /** True if the handler has read a streamed body since the last check of its time (D48). */
  hasRead = false;
  /** The sent body, if it was in memory. */
  sentBody: string | Uint8Array | undefined = undefined;
  /** The bytes of a streamed body that were passed to the system. */
  sentBytes = 0;
  /** True if the handler took too long. Another reply is then sent while it still runs. */
  isLate = false;
  /** True if the reply is a stream without a length, which may never end (D41). */
  hasOpenEndedReply = false;
  /** The error of the aborted signal; undefined while the handler must reply. */
  #abandoned: Error | undefined = undefined;
  /** The controller of the context's signal; undefined until a handler reads the signal. */
  #controller: AbortController | undefined = undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection,
    settings: ServerSettings,
    expectsContinue: boolean,
    next?: () => void,
  ) {
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.settings = settings;
    this.expectsContinue = expectsContinue;
    this.next = next;
  }

  /** The only place where the state changes. One request of a connection runs at a time. */
  enter(state: Exclude<State, 'reading'>): void {
    this.state = state;
    this.replyStarted = state !== 'handling';
    if (state === 'handling') this.connection.running = this;
    else if (state === 'done' && this.connection.running === this) this.connection.running = undefined;
  }

  /** Returns the signal of the context. Most handlers need none, and its controller takes time to create. */
  signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const { response } = this;
    const { socket } = this.request;
    const leave = (): void => {
      if (!response.writableFinished) this.abandon(new ClientGone());
    };
    response.once('close', () => {
      // The connection of an upgrade stays open.
      if (response.statusCode === 101) return;
      socket.off('end', leave).off('close', leave);
      leave();
    });
    socket.once('end', leave).once('close', leave);
    this.#controller = new AbortController();
    if (this.#abandoned !== undefined) this.#controller.abort(this.#abandoned);
    else if (socket.destroyed || socket.readableEnded) leave();
    return this.#controller.signal;
  }

  /** Aborts the signal with this reason. Later calls change nothing. */
  abandon(reason: Error): void {
    this.#abandoned ??= reason;
    this.#controller?.abort(this.#abandoned);
  }

  /** Reports to the hook `refused` that a limit of the whole service refuses the request. */
  refusedBy(reason: string): void {
    const { method, path, requestId, remoteAddress } = this.context;
    this.settings.refused?.({ status: 503, reason, method, path, requestId, remoteAddress, isSeen: true });
  }
}
