/** The exports of `todo-item-service/testing`: a context without a server, a check of replies, and the tests of a store. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Context } from './core/http/context.ts';
import { ClientGone } from './core/http/problem.ts';
import { empty } from './core/http/replies.ts';
import { connectionOf } from './core/server/connection/connection.ts';
import { encodedPath } from './core/server/in-memory.ts';
import { RequestExchange } from './core/server/request-context.ts';
import { serverSettings } from './core/server/served.ts';
import { validateRequest } from './core/server/validate-request.ts';

export { verification } from './operations/verification.ts';
export { storeConformance } from './testing/store-conformance.ts';

/** The parts of the request, except its target. */
interface RequestOptions {
  /** `GET` by default. */
  readonly method?: string | undefined;
  /** `Host` and `Content-Length` are added. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | undefined;
  /** A value to send as JSON, with its `Content-Type`. If `body` is set too, `body` is sent. */
  readonly json?: unknown;
  /** The base path of the application; none by default (D16). */
  readonly basePath?: string | undefined;
  /** The address of the client; `127.0.0.1` by default. */
  readonly remoteAddress?: string | undefined;
  /** Abort it to stop the service. */
  readonly stopping?: AbortSignal | undefined;
  /** Abort it to disconnect the client. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the context of a request for `target`, such as `/api/todo?page=2`. Throws an `HttpProblem` if the request is
 * invalid.
 *
 *     const greet: Handler = ({ query }) => text(`Hello ${query.get('name')}`);
 *     const { status } = await greet(contextFor('/?name=World'));
 */
export function contextFor(target: string, options: RequestOptions = {}): Context {
  const { method = 'GET', json, basePath = '', remoteAddress = '127.0.0.1', stopping, signal } = options;
  const { body = json === undefined ? undefined : JSON.stringify(json) } = options;
  const headers: Record<string, string> = { host: 'localhost' };
  if (json !== undefined) headers['content-type'] = 'application/json';
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;

  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress, configurable: true });
  const request = new IncomingMessage(socket);
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, complete: true });
  Object.assign(request, { method, url: encodedPath(target), headers, rawHeaders: Object.entries(headers).flat() });
  if (body !== undefined && body.length > 0) request.push(Buffer.from(body as string));
  request.push(null);
  const settings = serverSettings({ handler: () => empty(), basePath });
  stopping?.addEventListener('abort', () => settings.stopping.abort(), { once: true });
  if (stopping?.aborted === true) settings.stopping.abort();
  const exchange = new RequestExchange(request, new ServerResponse(request), connectionOf(socket), settings, false);
  const leave = (): void => exchange.abandon(new ClientGone());
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  validateRequest(exchange);
  return exchange.context;
}
