/** Joins a request with its response: the `Context` that the stages see, and what only the server needs. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Context } from '../../message/context.ts';
import { searchOf, splitPath } from '../../message/path.ts';
import type { ErrorLog, HttpProblem } from '../../message/problem.ts';
import { type RequestState, UNCHECKED } from '../../message/request-state.ts';
import type { BodyMemory } from './body-memory.ts';
import type { Connection, PendingRequest } from './connection.ts';
import type { InFlightChunks } from './in-flight-chunks.ts';
import type { Limits } from './limits.ts';
import type { Stopping } from './stopping.ts';

/** What all exchanges of a server share. */
export interface ExchangeSettings {
  readonly limits: Limits;
  readonly basePath: string;
  /** What a trusted proxy has removed from the front of the path of a request (D18). */
  readonly prefixOf: ((request: IncomingMessage) => string) | undefined;
  /** Is the request for a host that is answered? Undefined where all are (D43). */
  readonly answersHost: ((request: IncomingMessage) => boolean) | undefined;
  /** The address of the client behind trusted proxies; undefined where none is trusted. */
  readonly remoteAddressOf: ((context: { readonly request: IncomingMessage }) => string | undefined) | undefined;
  readonly bodies: BodyMemory;
  readonly inFlightChunks: InFlightChunks;
  /** Implements `Context.body`. */
  readonly readBody: (exchange: Exchange) => Promise<Uint8Array>;
  readonly log: ErrorLog;
  /** Makes the ids of requests that bring none; undefined for those of the process (D10). */
  readonly newRequestId: (() => string) | undefined;
  /** The idle time that `Keep-Alive` announces, in milliseconds; 0 where the caller made the server. */
  readonly keepAlive: number;
  /** Once it has begun, every reply ends its connection. */
  readonly stopping: Stopping;
}

/** One request and its response. */
export class Exchange extends Context implements RequestState, PendingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection<Exchange>;
  readonly settings: ExchangeSettings;
  readonly method: string;
  readonly basePath: string;
  // Request validation writes these three once, before any stage sees the exchange.
  path = '/';
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
  /** The reply is a stream without a length, which may never end (D41). */
  hasOpenEndedReply = false;
  checked: unknown = UNCHECKED;
  checkedStatus = 0;
  checkedHeaders: unknown = undefined;
  checkedLines = 0;
  checkedBody: unknown = undefined;
  pending: unknown = undefined;
  lacksLength = false;
  maker: string | undefined = undefined;
  route: RequestState['route'] = undefined;
  timeLimit: number | undefined = undefined;
  streams: RequestState['streams'] = undefined;
  slots: RequestState['slots'] = undefined;
  fallThrough: RequestState['fallThrough'] = undefined;
  writeProblem: RequestState['writeProblem'] = undefined;
  spentSteps = 0;
  giveUp: RequestState['giveUp'] = undefined;

  private splitSegments: readonly string[] | undefined = undefined;
  /** The body that was asked for. */
  wholeBody: Promise<Uint8Array> | undefined = undefined;
  private parsedQuery: URLSearchParams | undefined = undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    connection: Connection<Exchange>,
    settings: ExchangeSettings,
  ) {
    super();
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.settings = settings;
    this.method = request.method!;
    this.basePath =
      settings.prefixOf === undefined ? settings.basePath : settings.prefixOf(request) + settings.basePath;
  }

  /** For a request that failed validation: a path that cannot be decoded is split as it is. */
  setUnvalidatedPath(path: string): void {
    this.path = path;
    try {
      this.splitSegments = splitPath(path);
    } catch {
      this.splitSegments = path.slice(1).split('/');
    }
  }

  protected get shared(): RequestState {
    return this;
  }

  get segments(): readonly string[] {
    return (this.splitSegments ??= splitPath(this.path));
  }

  get query(): URLSearchParams {
    return (this.parsedQuery ??= new URLSearchParams(searchOf(this.request.url!)));
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers;
  }

  get remoteAddress(): string | undefined {
    const { remoteAddressOf } = this.settings;
    return remoteAddressOf === undefined ? this.request.socket.remoteAddress : remoteAddressOf(this);
  }

  get stopping(): AbortSignal {
    return this.settings.stopping.signal;
  }

  /** Read once: a stage and the handler behind it get the same bytes. */
  body(): Promise<Uint8Array> {
    return (this.wholeBody ??= this.settings.readBody(this));
  }
}
