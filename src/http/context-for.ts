/**
 * Contexts without a connection, for tests of stages and handlers: the same class, checks and body reader as for a real request.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { connectionOf } from './connection/connection.ts';
import { Exchange } from './connection/exchange.ts';
import { exchangeSettings } from './listener-options.ts';
import type { Context } from './message/context.ts';
import { checkRequest } from './validate-request.ts';

/** What else may be said of the request. */
export interface RequestOptions {
  /** `GET` unless given. */
  readonly method?: string;
  /** A `Host` and the length of the body are added. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The application's base path; none unless given. */
  readonly basePath?: string;
}

/** The context of a request for this target, `/api/todo?page=2` for example. Throws the `HttpProblem` that refuses a malformed request. */
export function contextFor(
  target: string,
  { method = 'GET', headers = {}, body, basePath = '' }: RequestOptions = {},
): Context {
  const request = new IncomingMessage(new Socket());
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const lines = { Host: 'localhost', ...(bytes && { 'Content-Length': String(bytes.length) }), ...headers };
  Object.assign(request, {
    method,
    url: target,
    httpVersion: '1.1',
    httpVersionMajor: 1,
    httpVersionMinor: 1,
    complete: true,
  });
  for (const [name, value] of Object.entries(lines)) {
    request.rawHeaders.push(name, value);
    request.headers[name.toLowerCase()] = value;
  }
  if (bytes !== undefined && bytes.length > 0) request.push(bytes);
  request.push(null);
  const exchange = new Exchange(
    request,
    new ServerResponse(request),
    connectionOf(request.socket),
    exchangeSettings({ basePath }),
  );
  checkRequest(exchange);
  return exchange;
}
