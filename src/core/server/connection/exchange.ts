/** Declares the exchange: the context that the stages get, with the state of its request and its response. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../http/context.ts';
import { originalOf } from '../../http/context-with.ts';
import { type SentPath, searchOf } from '../../http/path.ts';
import { ClientGone, type HttpProblem } from '../../http/problem.ts';
import { SlottedContext } from '../../http/slotted-context.ts';
import type { ServerSettings } from '../served.ts';
import { clientOf } from '../trusted-proxy.ts';

/** The settings that all exchanges of a server share. `readBody` reads the body of a request into memory. */
interface ExchangeSettings extends ServerSettings {
  readonly readBody: (exchange: Exchange) => Promise<Uint8Array>;
}

export class Exchange extends SlottedContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly settings: ExchangeSettings;
  readonly method: string;
  readonly basePath: string;
  /** Passes the request to the next handler of the framework that has mounted the listener (D78). */
  next: (() => void) | undefined = undefined;

  // `validateRequest` sets these members before any stage runs.
  path = '/';
  segments: readonly string[] = [];
  requestId = '';
  /** The length of the body that the head announces, in bytes; 0 for a request without a body. */
  bodyLength: number | 'chunked' = 0;

  // The body.
  /** The maximum length of the body in bytes; undefined to use the limit of the server. */
  bodyLimit: number | undefined = undefined;
  /** The bytes that the body takes from `settings.bodies`, the memory that all bodies share. */
  bodyMemory = 0;
  /** True if the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue = false;
  /** The problem for an expectation that the server does not support (RFC 9110 §10.1.1). */
  expectationFailure: HttpProblem | undefined = undefined;
  bodyFailure: HttpProblem | undefined = undefined;
  /** The body in memory; undefined until it is read. */
  wholeBody: Promise<Uint8Array> | undefined = undefined;

  // The reply.
  replyStarted = false;
  /** The milliseconds for which the handler has neither replied nor read, if it was seen so by the last check (D48). */
  waited: number | undefined = undefined;
  /** The bytes of the reply's body that were passed to the system. */
  sentBytes = 0;
  /** The problem that was sent because the handler took too long. */
  late: HttpProblem | undefined = undefined;
  /** True if the reply is a stream without a length, which may never end (D41). */
  hasOpenEndedReply = false;

  private parsedQuery: URLSearchParams | undefined = undefined;
  /** The reason why the reply is no longer needed. */
  private abandoned: Error | undefined = undefined;
  /** The controller of `signal`; undefined until a handler reads `signal`. */
  private controller: AbortController | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, settings: ExchangeSettings) {
    super();
    this.request = request;
    this.response = response;
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
    return this.settings.headersOf?.(this.request) ?? this.request.headers;
  }

  get remoteAddress(): string | undefined {
    const { forwarding } = this.settings;
    return forwarding?.remoteAddress === undefined ? clientOf(this.request.socket) : forwarding.remoteAddress(this);
  }

  /** Creating an `AbortController` takes 70 % of the time of a request, so it is created at the first access. */
  get signal(): AbortSignal {
    this.controller ??= this.watchClient(new AbortController());
    return this.controller.signal;
  }

  private watchClient(controller: AbortController): AbortController {
    const { response } = this;
    const { socket } = this.request;
    const leave = (): void => {
      if (!response.writableFinished) this.abandon(new ClientGone());
    };
    this.controller = controller;
    if (this.abandoned !== undefined) controller.abort(this.abandoned);
    response.once('close', () => {
      socket.off('end', leave).off('close', leave);
      leave();
    });
    socket.once('end', leave).once('close', leave);
    if (socket.destroyed || socket.readableEnded) leave();
    return controller;
  }

  /** Aborts `signal` with this reason, because the reply is no longer needed. */
  abandon(reason: Error): void {
    this.abandoned ??= reason;
    this.controller?.abort(this.abandoned);
  }

  /** Reports to the hook `refused` that a limit of the whole service refuses the request. */
  refusedBy(reason: string): void {
    const { method, path, requestId, remoteAddress } = this;
    this.settings.refused?.({ status: 503, reason, method, path, requestId, remoteAddress, isSeen: true });
  }

  get stopping(): AbortSignal {
    return this.settings.stopping.signal;
  }

  /** Reads the body at the first call. Later calls return the same bytes. */
  body(): Promise<Uint8Array> {
    if (this.wholeBody === undefined) {
      this.wholeBody = this.settings.readBody(this);
      // A handler that has replied may ignore the promise. Its rejection must not be an uncaught error.
      this.wholeBody.catch(() => {});
    }
    return this.wholeBody;
  }
}

/** Returns the exchange of this context or of its original; undefined for a context that this server did not create. */
export function exchangeOf(context: Context): Exchange | undefined {
  const original = originalOf(context);
  return original instanceof Exchange ? original : undefined;
}

/** The part of a reply that was sent. */
export interface SentReply {
  /** The sent status; undefined if no head was sent. */
  readonly status: number | undefined;
  /** The bytes of the body that were passed to the system, without the framing of chunks. */
  readonly bytes: number;
  /** True if the whole reply was sent; false if the connection was closed before. */
  readonly isWhole: boolean;
}

/**
 * Calls `sent` when the reply is sent or the connection is closed. Never calls it for a context without a connection.
 */
export function whenSent(context: Context, sent: (reply: SentReply) => void): void {
  const exchange = exchangeOf(context);
  if (exchange === undefined) return;
  const { response } = exchange;
  const closed = (): void => {
    const status = response.headersSent ? response.statusCode : undefined;
    sent({ status, bytes: exchange.sentBytes, isWhole: response.writableFinished });
  };
  // The event may be emitted in the asynchronous context of another request. `AsyncResource.bind` takes more time.
  const scope = new AsyncResource('whenSent');
  response.once('close', () => scope.runInAsyncScope(closed));
}
