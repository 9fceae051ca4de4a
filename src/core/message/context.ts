/**
 * Declares the types of the pipeline: a `Handler` takes a `Context` and returns a `Reply`.
 *
 * The server makes a context of each request, calls the handler of the application with it and writes the reply. A
 * context and a reply are read-only. A stage that wants another reply makes one with `replyWith`, and a stage that
 * wants another context with `contextWith`. Query and body are read at their first access.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Reply } from './reply.ts';

/** One request. Copy it with `contextWith`: a spread would lose computed members, so the compiler refuses it (D46). */
export abstract class Context {
  abstract readonly method: string;
  /** The path as sent, percent-encoded, beginning with `/`; without query, dot segments and base path (D16, D21). */
  abstract readonly path: string;
  /**
   * The base path of the application, which every link begins with; empty without one (D7, D16). In the stages
   * and the handlers of a mounted plugin it ends with the prefix, which `path` lacks there.
   */
  abstract readonly basePath: string;
  /** The decoded pieces between the slashes of `path`; one trailing slash adds none (§4.3 rule 3). */
  abstract readonly segments: readonly string[];
  /** The form-decoded query. A malformed query never throws (D21). */
  abstract readonly query: URLSearchParams;
  /** Header names are in lower case. */
  abstract readonly headers: IncomingHttpHeaders;
  /** The value of `X-Request-Id` in the reply, also a member of every problem (D10). */
  abstract readonly requestId: string;
  /** Reads the whole body and undoes its content coding. Rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. */
  abstract body(): Promise<Uint8Array>;
  abstract readonly request: IncomingMessage;
  /** The address of the client, behind the trusted proxies of the application; undefined once it has gone (D18). */
  abstract readonly remoteAddress: string | undefined;
  /**
   * Aborted when nobody waits for the reply any more: the client has left (`ClientGone`), the time of the handler is
   * over (the 503 that was sent), or a stop has cut its connection. A client that has closed its side of the connection
   * counts as one that has left (D95). It costs nothing before it is asked for.
   */
  abstract readonly signal: AbortSignal;
  /** Aborted once the service begins to stop: a reply that may never end ends then (D77). */
  abstract readonly stopping: AbortSignal;
}

/** Answers a request. Return the reply itself where nothing is awaited: no promise is made for the request then. */
export type Handler = (context: Context) => Reply | Promise<Reply>;

/** True for GET and HEAD of `path`, ignoring case and one final slash (§4.3 rule 3, D9). `path` is in lower case. */
export function isGetOrHead({ method, path: sent }: Context, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const surplus = sent.length - path.length;
  if (surplus !== 0 && !(surplus === 1 && sent.endsWith('/'))) return false;
  return sent.slice(0, path.length).toLowerCase() === path;
}
