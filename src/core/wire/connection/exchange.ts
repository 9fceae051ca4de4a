/** The state of one connection and of each request on it. While one runs, Node may report the next one. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Context, Handler } from '../../message/context.ts';
import { type SentPath, searchOf } from '../../message/path.ts';
import { ClientGone, type ErrorLog, type HttpProblem } from '../../message/problem.ts';
import type { Reply } from '../../message/reply.ts';
import { SlottedContext } from '../../message/slotted-context.ts';
import { clientOf, type Forwarding } from '../trusted-proxy.ts';
import type { StopController } from './closing.ts';
import type { Limits } from './limits.ts';
import type { BodyMemory } from './memory.ts';
import { isHandedOver } from './node-internals.ts';
import { Ticks } from './ticks.ts';

/** Answers a request that fails validation, in place of the handler. */
export type RefusalHandler = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** A request that is refused before any stage, or because a limit of the whole service is reached. */
export interface Refusal {
  /** The status of the problem that the client gets. Over TLS, a connection too many is closed without a problem. */
  readonly status: number;
  /** The code of Node's parser, such as `HPE_HEADER_OVERFLOW`, or the name of the limit, such as `maxConnections`. */
  readonly reason: string;
  /** `-` where no request line can be read. */
  readonly method: string;
  /** `-` where it cannot be read; not decoded where no stage has seen it. */
  readonly path: string;
  readonly requestId: string;
  /** The other end of the connection, which may be a proxy, where no stage has seen the request. */
  readonly remoteAddress: string | undefined;
  /** Do the stages see the problem too? */
  readonly isSeen: boolean;
}

/** A handler with the settings that belong to it. `application(…)` returns one, so that none can be forgotten. */
export interface Servable {
  readonly handler: Handler;
  /** Unless given, the problem is sent as it is. */
  readonly refuse?: RefusalHandler | undefined;
  /** Removed from a path that begins with it, ignoring case; none unless given (D16). */
  readonly basePath?: string | undefined;
  /** What trusted proxies tell of a request (D18). */
  readonly forwarding?: Partial<Pick<Forwarding, 'prefixOf' | 'remoteAddress'>> | undefined;
  /** Is the request for a host that is answered? All are unless given (D43). */
  readonly answersHost?: ((request: IncomingMessage) => boolean) | undefined;
  /** Throws a `RangeError` for limits within which it cannot do what it declares. */
  readonly assertLimits?: ((limits: Limits) => void) | undefined;
  /** Is called with the cause of every 500; writes to standard error unless given. */
  readonly log?: ErrorLog | undefined;
  /** Makes the ids of requests that bring none; those of the process unless given (D10). */
  readonly newRequestId?: (() => string) | undefined;
  /** Is called for requests that are refused before any stage, and by a limit of the whole service. Never throws. */
  readonly refused?: ((refusal: Refusal) => void) | undefined;
  /** Calls `begin` when it begins to stop: open streams end, also where the server is stopped later. */
  readonly whenStopping?: ((begin: () => void) => void) | undefined;
}

/** What all exchanges of a server share: what is served, and what its requests take together. */
export interface ExchangeSettings extends Servable {
  readonly basePath: string;
  readonly log: ErrorLog;
  readonly limits: Limits;
  readonly bodies: BodyMemory;
  readonly readBody: (exchange: Exchange) => Promise<Uint8Array>;
  /** The idle time that `Keep-Alive` announces, in milliseconds; 0 where the caller made the server. */
  readonly keepAlive: number;
  readonly stopping: StopController;
  /** Joins the lines of one name where the caller made the server. Undefined for a service: its server joins them. */
  readonly headersOf: ((request: IncomingMessage) => IncomingHttpHeaders) | undefined;
}

/** One request with its response: the `Context` that the stages see, and what only the server needs. */
export class Exchange extends SlottedContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly settings: ExchangeSettings;
  readonly method: string;
  readonly basePath: string;
  // Request validation writes these four once, before any stage sees the exchange.
  path = '/';
  segments: readonly string[] = [];
  requestId = '';
  /** Bytes of the body as the head announces them: 0 where there is none. */
  bodyLength: number | 'chunked' = 0;
  /** How many bytes its body may have; undefined for the limit of the server. */
  bodyLimit: number | undefined = undefined;
  /** Memory that its body takes of `bodies`, in bytes. */
  bodyMemory = 0;
  /** The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue = false;
  /** The request expects what the server cannot do (RFC 9110 §10.1.1). */
  expectationFailure: HttpProblem | undefined = undefined;
  bodyFailure: HttpProblem | undefined = undefined;
  replyStarted = false;
  /** Bytes of its reply's body that were handed to the system. */
  sentBytes = 0;
  /** The problem that is sent because the handler took too long. */
  late: HttpProblem | undefined = undefined;
  /** The reply is a stream without a length, which may never end (D41). */
  hasOpenEndedReply = false;
  /** The body that was asked for. */
  wholeBody: Promise<Uint8Array> | undefined = undefined;
  private parsedQuery: URLSearchParams | undefined = undefined;
  /** Why nobody waits for the reply any more; until then, the controller behind `signal`. */
  private abandoned: Error | AbortController | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, settings: ExchangeSettings) {
    super();
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.settings = settings;
    this.method = request.method!;
    this.basePath = (settings.forwarding?.prefixOf?.(request) ?? '') + settings.basePath;
  }

  setPath({ path, segments }: SentPath): void {
    this.path = path;
    this.segments = segments;
  }

  get query(): URLSearchParams {
    return (this.parsedQuery ??= new URLSearchParams(searchOf(this.request.url!)));
  }

  get headers(): IncomingHttpHeaders {
    const { headersOf } = this.settings;
    return headersOf === undefined ? this.request.headers : headersOf(this.request);
  }

  get remoteAddress(): string | undefined {
    const { forwarding } = this.settings;
    return forwarding?.remoteAddress === undefined ? clientOf(this.request.socket) : forwarding.remoteAddress(this);
  }

  /** Made for who asks: an `AbortController` for each request takes 70 % of its time. */
  get signal(): AbortSignal {
    if (this.abandoned instanceof AbortController) return this.abandoned.signal;
    const controller = new AbortController();
    if (this.abandoned !== undefined) controller.abort(this.abandoned);
    this.abandoned = controller;
    const { response } = this;
    const { socket } = this.connection;
    const leave = (): void => {
      if (!response.writableFinished) this.abandon(new ClientGone());
    };
    response.once('close', () => {
      socket.off('end', leave).off('close', leave);
      leave();
    });
    socket.once('end', leave).once('close', leave);
    if (socket.destroyed || socket.readableEnded) leave();
    return controller.signal;
  }

  /** Nobody waits for the reply any more, for this reason. */
  abandon(reason: Error): void {
    if (this.abandoned instanceof AbortController) this.abandoned.abort(reason);
    else this.abandoned ??= reason;
  }

  /** Tells that a limit of the whole service refuses the request. */
  refusedBy(reason: string): void {
    const { method, path, requestId, remoteAddress } = this;
    this.settings.refused?.({ status: 503, reason, method, path, requestId, remoteAddress, isSeen: true });
  }

  get stopping(): AbortSignal {
    return this.settings.stopping.signal;
  }

  /** Read once: a stage and the handler behind it get the same bytes. */
  body(): Promise<Uint8Array> {
    return (this.wholeBody ??= this.settings.readBody(this));
  }
}

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
  /** Returns whether the socket may be read on. */
  take(chunk: Uint8Array): boolean;
  end(): void;
  fail(error: Error): void;
}

/** Bytes of replies, heads included, that may be unflushed while a client sends more requests and does not read. */
const MAX_UNFLUSHED_BYTES = 64 * 1024;

/** One connection. */
export class Connection {
  readonly socket: Socket;
  readonly ticks = new Ticks();
  /** The request whose handler runs, or whose reply takes more than one write. */
  running: Exchange | undefined = undefined;
  /** What runs the requests behind it, in order. */
  readonly waiting: (() => void)[] = [];
  /** Is the socket paused because requests wait? Undefined before the first has waited. */
  isHeld: boolean | undefined = undefined;
  /** The last request whose head has come in. */
  received: Exchange | undefined = undefined;
  reading: IncomingBody | undefined = undefined;
  /** Requests that have run, the running one included. */
  requests = 0;
  /** The number of chunks of streamed bodies that handlers have read. Each one restarts the time to reply. */
  taken = 0;
  /** `ignored` once the parser has failed or a limit of connections is exceeded: no further request is answered. */
  input: 'open' | 'ignored' = 'open';
  /** After `close-next` the next reply says `Connection: close`; after `closing` no request runs (RFC 9112 §9.6). */
  output: 'keep-alive' | 'close-next' | 'closing' = 'keep-alive';
  /** Bytes of replies in one piece since the client is known to have taken all of them. */
  unflushedBytes = 0;
  private lastResponse: ServerResponse | undefined = undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.once('close', () => this.reading?.fail(new ClientGone()));
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
