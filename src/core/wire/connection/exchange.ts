/** One request with its response: the context that the stages see, and what the wire notes of it. */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../message/context.ts';
import { originalOf } from '../../message/context-with.ts';
import { type SentPath, searchOf } from '../../message/path.ts';
import { ClientGone, type HttpProblem } from '../../message/problem.ts';
import { SlottedContext } from '../../message/slotted-context.ts';
import type { ServerSettings } from '../served.ts';
import { clientOf } from '../trusted-proxy.ts';

/** What all exchanges of a server share. `readBody` reads the body of a request into memory. */
export interface ExchangeSettings extends ServerSettings {
  readonly readBody: (exchange: Exchange) => Promise<Uint8Array>;
}

export class Exchange extends SlottedContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly settings: ExchangeSettings;
  readonly method: string;
  readonly basePath: string;
  /** Gives the request to what a framework has mounted behind the listener (D78). */
  next: (() => void) | undefined = undefined;

  // Request validation writes these before any stage sees the exchange.
  path = '/';
  segments: readonly string[] = [];
  requestId = '';
  /** Bytes of the body as the head announces them: 0 where there is none. */
  bodyLength: number | 'chunked' = 0;

  // The body.
  /** How many bytes it may have; undefined for the limit of the server. */
  bodyLimit: number | undefined = undefined;
  /** Memory that it takes of `bodies`, in bytes. */
  bodyMemory = 0;
  /** The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue = false;
  /** The request expects what the server cannot do (RFC 9110 §10.1.1). */
  expectationFailure: HttpProblem | undefined = undefined;
  bodyFailure: HttpProblem | undefined = undefined;
  /** The body in memory, once it was asked for. */
  wholeBody: Promise<Uint8Array> | undefined = undefined;

  // The reply.
  replyStarted = false;
  /** Bytes of its body that were handed to the system. */
  sentBytes = 0;
  /** The problem that is sent because the handler took too long. */
  late: HttpProblem | undefined = undefined;
  /** The reply is a stream without a length, which may never end (D41). */
  hasOpenEndedReply = false;

  private parsedQuery: URLSearchParams | undefined = undefined;
  /** Why nobody waits for the reply any more. */
  private abandoned: Error | undefined = undefined;
  /** Aborts `signal`; undefined until a handler asks for the signal. */
  private leaving: AbortController | undefined = undefined;

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

  /** An `AbortController` takes 70 % of the time of a request, so it is created when a handler asks for the signal. */
  get signal(): AbortSignal {
    this.leaving ??= this.watchClient(new AbortController());
    return this.leaving.signal;
  }

  private watchClient(leaving: AbortController): AbortController {
    const { response } = this;
    const { socket } = this.request;
    const leave = (): void => {
      if (!response.writableFinished) this.abandon(new ClientGone());
    };
    this.leaving = leaving;
    if (this.abandoned !== undefined) leaving.abort(this.abandoned);
    response.once('close', () => {
      socket.off('end', leave).off('close', leave);
      leave();
    });
    socket.once('end', leave).once('close', leave);
    if (socket.destroyed || socket.readableEnded) leave();
    return leaving;
  }

  /** Nobody waits for the reply any more, for this reason. */
  abandon(reason: Error): void {
    this.abandoned ??= reason;
    this.leaving?.abort(this.abandoned);
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
    if (this.wholeBody === undefined) {
      this.wholeBody = this.settings.readBody(this);
      // A handler that has answered may not listen any more.
      this.wholeBody.catch(() => {});
    }
    return this.wholeBody;
  }
}

/** Returns the exchange of this context or of its original, or undefined for a context of another library. */
export function exchangeOf(context: Context): Exchange | undefined {
  const original = originalOf(context);
  return original instanceof Exchange ? original : undefined;
}

/** What was sent of a reply. */
export interface SentReply {
  /** Undefined where no head was sent. */
  readonly status: number | undefined;
  /** Bytes of the body that were handed to the system, without the framing of chunks. */
  readonly bytes: number;
  /** Has everything been sent? False where the client has left before, or was cut. */
  readonly isWhole: boolean;
}

/** Calls back once the reply to this request is sent, or its connection is closed. Never for a context without one. */
export function whenSent(context: Context, sent: (reply: SentReply) => void): void {
  const exchange = exchangeOf(context);
  if (exchange === undefined) return;
  const { response } = exchange;
  const closed = (): void => {
    const status = response.headersSent ? response.statusCode : undefined;
    sent({ status, bytes: exchange.sentBytes, isWhole: response.writableFinished });
  };
  // The end of a reply may come in the asynchronous context of another request.
  response.once('close', AsyncResource.bind(closed));
}
