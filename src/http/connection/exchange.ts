/** One request and its response: the `Context` that the stages see, with what only the server needs beside it. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../body/read-body.ts';
import { Context } from '../message/context.ts';
import { searchOf, splitPath } from '../message/path.ts';
import type { ErrorLog, HttpProblem } from '../message/problem.ts';
import { type RequestState, UNCHECKED } from '../message/request-state.ts';
import type { BodyMemory } from './body-memory.ts';
import type { Connection } from './connection.ts';
import type { ChunksOnTheWay } from './in-flight-chunks.ts';
import type { Limits } from './limits.ts';

/** What all exchanges of a server share. */
export interface ExchangeSettings {
  readonly limits: Limits;
  readonly basePath: string;
  /** What a trusted proxy cut off in front of the path of a request (D18). */
  readonly prefixOf: ((request: IncomingMessage) => string) | undefined;
  readonly bodies: BodyMemory;
  readonly onTheWay: ChunksOnTheWay;
  readonly log: ErrorLog;
  /** How long a client is told that its connection is kept, in milliseconds; 0 where that is not ours to say. */
  readonly keepAlive: number;
  /** The service is stopping: every reply is the last on its connection. */
  closing: boolean;
}

/** One request and its response. `Context` says what the stages see of it. */
export class Exchange extends Context implements RequestState {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  readonly settings: ExchangeSettings;
  readonly method: string;
  readonly basePath: string;
  // The checks at the door write these once, before any stage sees the exchange.
  path = '/';
  requestId = '';
  /** Bytes of body that the head announces: 0 for none, -1 for an unknown number. */
  announced = 0;
  /** Memory that its body has taken of `bodies`, in bytes. */
  bodyMemory = 0;
  /** Its reply streams without a length: only the end of the client's side tells that it has left. */
  endless = false;
  /** The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). */
  expectsContinue = false;
  /** An expectation that cannot be met (RFC 9110 §10.1.1). */
  unmet: HttpProblem | undefined = undefined;
  /** Why its body will never be whole: the parser gave up on it, or it came in too slowly. Its reply ends the connection. */
  broken: HttpProblem | undefined = undefined;
  /** The reply has begun: nothing else may be said to this request. */
  answered = false;
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
  giveUp: RequestState['giveUp'] = undefined;

  private splitSegments: readonly string[] | undefined = undefined;
  private parsedQuery: URLSearchParams | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, connection: Connection, settings: ExchangeSettings) {
    super();
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.settings = settings;
    this.method = request.method!;
    this.basePath =
      settings.prefixOf === undefined ? settings.basePath : settings.prefixOf(request) + settings.basePath;
  }

  /** Names the path of a request that was refused before its path was judged; one that cannot be decoded is split as it is. */
  refused(path: string): void {
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

  body(): Promise<Uint8Array> {
    return readBody(this);
  }
}
