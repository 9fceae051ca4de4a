/**
 * Declares the types of the pipeline: a `Handler` takes a `Context` and returns a `Reply`.
 *
 * The server creates a context for each request, calls the handler of the application with it and writes the reply.
 * Contexts and replies are read-only: `contextWith` and `replyWith` return changed copies. The query and the body are
 * read at their first access.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Reply } from './reply.ts';

/** One request. Copy it with `contextWith`. The compiler rejects a spread, which would lose computed members (D46). */
export abstract class Context {
  abstract readonly method: string;
  /** The path, percent-encoded. It begins with `/`, and has no query, dot segments or base path (D16, D21). */
  abstract readonly path: string;
  /**
   * The prefix of every link; empty if there is no base path (D7, D16). In the stages of a mounted plugin,
   * `basePath` ends with the prefix of the plugin, and `path` does not contain this prefix.
   */
  abstract readonly basePath: string;
  /** The decoded texts between the slashes of `path`. One trailing slash adds no segment (§4.3 rule 3). */
  abstract readonly segments: readonly string[];
  /** The form-decoded query. Reading a malformed query never throws (D21). */
  abstract readonly query: URLSearchParams;
  /** Header names are in lower case. */
  abstract readonly headers: IncomingHttpHeaders;
  /** The cookies by name, decoded. They are read from `headers` at each access. `cookie(…)` sets a cookie. */
  abstract readonly cookies: ReadonlyMap<string, string>;
  /** The id of this request. The reply sends it as `X-Request-Id`, and every problem contains it (D10). */
  abstract readonly requestId: string;
  /** Reads the whole body and decodes its content coding. Rejects with an `HttpProblem`: 400, 408, 413, 415 or 503. */
  abstract body(): Promise<Uint8Array>;
  abstract readonly request: IncomingMessage;
  /** The address of the client, behind any trusted proxies (D18). Undefined once the client has disconnected. */
  abstract readonly remoteAddress: string | undefined;
  /**
   * Aborted when the reply is no longer needed: the client has disconnected (`ClientGone`), the handler took too long
   * (the reason is the 503 that was sent), or the stopping service has closed the connection. A client that closes only
   * its side of the connection also aborts the signal (D95). The signal is created at the first access.
   */
  abstract readonly signal: AbortSignal;
  /** Aborted when the service begins to stop. An endless reply, such as a stream of events, must end then (D77). */
  abstract readonly stopping: AbortSignal;
}

/** Answers a request. To save time, a handler that does not wait should return the reply itself, not a promise. */
export type Handler = (context: Context) => Reply | Promise<Reply>;

/**
 * Returns the values of all lines of a header, whose name is in lower case. `headers` has them joined. If a stage has
 * replaced the header, returns the value of the stage.
 */
export function headerValues({ headers, request }: Context, name: string): readonly string[] {
  // The headers of Node have a prototype, and a header may be named `constructor`.
  if (!Object.hasOwn(headers, name)) return [];
  const sent = headers[name]!;
  const lines = request.headersDistinct[name] ?? [];
  return lines.length > 1 && lines.join(', ') === sent ? lines : [sent].flat();
}

/** True for GET and HEAD of `path`, ignoring case and one trailing slash (§4.3, D9). `path` must be in lower case. */
export function isGetOrHead({ method, path: sent }: Context, path: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const surplus = sent.length - path.length;
  if (surplus !== 0 && !(surplus === 1 && sent.endsWith('/'))) return false;
  return sent.slice(0, path.length).toLowerCase() === path;
}
