/** Makes a context as the server does, but without a connection, for tests of stages and handlers. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { connectionOf } from './connection/connection.ts';
import { Exchange } from './connection/exchange.ts';
import { exchangeSettings } from './listener-options.ts';
import type { Context } from './message/context.ts';
import { validateRequest } from './validate-request.ts';

/** What the request has beside its target. */
export interface RequestOptions {
  /** `GET` by default. */
  readonly method?: string;
  /** `Host` and `Content-Length` are added. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The base path of the application; none by default (D16). */
  readonly basePath?: string;
}

/**
 * The context of a request for `target`, as `/api/todo?page=2`. Throws the `HttpProblem` of an invalid request.
 *
 *     const greet: Handler = ({ query }) => text(`Hello ${query.get('name')}`);
 *     const { status } = await greet(contextFor('/?name=World'));
 */
export function contextFor(
  target: string,
  { method = 'GET', headers = {}, body, basePath = '' }: RequestOptions = {},
): Context {
  const request = new IncomingMessage(new Socket());
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const lines = { Host: 'localhost', ...(bytes && { 'Content-Length': String(bytes.length) }), ...headers };
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  Object.assign(request, { method, url: target, complete: true });
  for (const [name, value] of Object.entries(lines)) {
    request.rawHeaders.push(name, value);
    request.headers[name.toLowerCase()] = value;
  }
  if (bytes !== undefined && bytes.length > 0) request.push(bytes);
  request.push(null);
  const settings = exchangeSettings({ basePath });
  const exchange = new Exchange(request, new ServerResponse(request), connectionOf(request.socket), settings);
  validateRequest(exchange);
  return exchange;
}
