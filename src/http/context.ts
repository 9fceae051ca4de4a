/**
 * The three shapes that carry everything: `Context` in, `Reply` out, `Handler` between.
 *
 * All are plain data and nothing is changed on the way: a stage that wants another reply makes another one. What costs
 * something to work out – segments, query, headers, body – is worked out when it is first asked for, so a request
 * that no stage looks into closely is not looked into.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/** One request, as the stages see it. */
export interface Context {
  readonly method: string;
  /**
   * The path of the request target as it was sent, still percent-encoded: query, dot segments and base path are gone (D16, D21).
   * Begins with `/`.
   */
  readonly path: string;
  /** The application's base path, empty when there is none; links are written behind it (D7, D16). */
  readonly basePath: string;
  /** The decoded pieces between the slashes of `path`; one trailing slash leaves no piece (§4.3 rule 3). */
  readonly segments: readonly string[];
  /** The query, form-decoded. A malformed one never fails (D21). */
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Goes out as `X-Request-Id` and in every problem (D10). */
  readonly requestId: string;
  /** Reads the whole body, content coding undone. Rejects with an `HttpProblem`: 400, 408, 413 or 415. */
  body(): Promise<Uint8Array>;
  readonly request: IncomingMessage;
}

/** A flat list `[name, value, name, value, …]`, which is written as it stands, or an object. */
export type HeaderLines = readonly string[] | Readonly<Record<string, string>>;

/**
 * What is sent. A list of chunks is written one at a time as the client takes them and may be shared by many replies;
 * a `Readable` is piped and destroyed when the client leaves.
 */
export type ReplyBody = string | Uint8Array | readonly Uint8Array[] | Readable;

/** One answer. `headers` says the body's length where it is known; the server adds what every answer has. */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderLines;
  readonly body?: ReplyBody;
}

/** Answers a request. One that never waits returns the reply itself: no promise is made on its way. */
export type Handler = (context: Context) => Reply | Promise<Reply>;
