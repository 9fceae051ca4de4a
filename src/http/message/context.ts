/**
 * The three shapes that carry everything: `Context` in, `Reply` out, `Handler` between.
 *
 * Nothing is changed on the way: a stage that wants another reply makes another one, and one that wants another context makes
 * a copy with `contextWith`. What costs something to work out – segments, query, headers, body – is worked out when it is first
 * asked for, so a request that no stage looks into closely is not looked into.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * One request, as the stages see it.
 *
 * A copy is made by `contextWith(context, { path })`. A spread would lose the members that are worked out on demand, and would
 * keep the segments of the old path; the protected member makes it a type error (D46).
 */
export abstract class Context {
  abstract readonly method: string;
  /**
   * The path of the request target as it was sent, still percent-encoded: query, dot segments and base path are gone (D16, D21).
   * Begins with `/`.
   */
  abstract readonly path: string;
  /** The application's base path, empty when there is none; links are written behind it (D7, D16). */
  abstract readonly basePath: string;
  /** The decoded pieces between the slashes of `path`; one trailing slash leaves no piece (§4.3 rule 3). */
  abstract readonly segments: readonly string[];
  /** The query, form-decoded. A malformed one never fails (D21). */
  abstract readonly query: URLSearchParams;
  /** Names in lower case. */
  abstract readonly headers: IncomingHttpHeaders;
  /** Goes out as `X-Request-Id` and in every problem (D10). */
  abstract readonly requestId: string;
  /** Reads the whole body, content coding undone. Rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. */
  abstract body(): Promise<Uint8Array>;
  abstract readonly request: IncomingMessage;
  /** What belongs to the request itself, whichever copy of its context is at hand. */
  protected abstract readonly shared: RequestState;

  /** What belongs to the request behind this context; undefined for an object that is no context of this library. */
  static stateOf(context: Context): RequestState | undefined {
    return context.shared;
  }
}

/** Stands for a reply that was found fit to be sent, where none was yet. */
export const UNCHECKED: unique symbol = Symbol('unchecked');

/** State of one request that every copy of its context shares. */
export interface RequestState {
  /** The reply that was last found fit to be sent, and what it was made of then; `UNCHECKED` before there was one. */
  checked: unknown;
  checkedStatus: number;
  checkedHeaders: unknown;
  checkedLines: number;
  checkedBody: unknown;
  /** The promise of a reply that is judged when it is there. */
  pending: unknown;
  /** Does that reply leave it to the server to say the length of its body? */
  lacksLength: boolean;
  /** Who made that reply, in words, where its body is a stream. */
  maker: string | undefined;
  /** The route that answers; undefined before one was found. */
  route: { readonly template: { readonly text: string } } | undefined;
  /** How long a reply may take, in milliseconds; undefined for the limit of the server. */
  timeLimit: number | undefined;
  /** Ends the waiting for a reply with this error instead; set while a stage waits for one. */
  giveUp: ((error: Error) => void) | undefined;
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
