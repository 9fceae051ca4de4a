/** Makes a context as the server does, but without a connection, for tests of stages and handlers. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Context } from '../message/context.ts';
import { connectionOf, Exchange } from './connection/exchange.ts';
import { exchangeSettings } from './listener-options.ts';
import { validateRequest } from './validate-request.ts';

/** What the request has beside its target. */
export interface RequestOptions {
  /** `GET` by default. */
  readonly method?: string;
  /** `Host` and `Content-Length` are added. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The body as JSON, with its `Content-Type`; in place of `body`. */
  readonly json?: unknown;
  /** The base path of the application; none by default (D16). */
  readonly basePath?: string;
  /** The address of the client; `127.0.0.1` by default. */
  readonly remoteAddress?: string;
  /** Aborted when the test wants the service to stop; never by default. */
  readonly stopping?: AbortSignal;
}

/**
 * The context of a request for `target`, as `/api/todo?page=2`. Throws the `HttpProblem` of an invalid request.
 *
 *     const greet: Handler = ({ query }) => text(`Hello ${query.get('name')}`);
 *     const { status } = await greet(contextFor('/?name=World'));
 */
export function contextFor(target: string, options: RequestOptions = {}): Context {
  const { method = 'GET', headers = {}, json, basePath = '', remoteAddress = '127.0.0.1', stopping } = options;
  const { body = json === undefined ? undefined : JSON.stringify(json) } = options;
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress, configurable: true });
  const request = new IncomingMessage(socket);
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  const added: Record<string, string> = { Host: 'localhost' };
  if (json !== undefined) added['Content-Type'] = 'application/json';
  if (bytes !== undefined) added['Content-Length'] = String(bytes.length);
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [
    ...Object.entries(added).filter(([name]) => !given.has(name.toLowerCase())),
    ...Object.entries(headers),
  ];
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  Object.assign(request, { method, url: target, complete: true });
  for (const [name, value] of lines) {
    request.rawHeaders.push(name, value);
    request.headers[name.toLowerCase()] = value;
  }
  if (bytes !== undefined && bytes.length > 0) request.push(bytes);
  request.push(null);
  const settings = exchangeSettings({ basePath });
  stopping?.addEventListener('abort', () => settings.stopping.begin(), { once: true });
  if (stopping?.aborted === true) settings.stopping.begin();
  const exchange = new Exchange(request, new ServerResponse(request), connectionOf(socket), settings);
  validateRequest(exchange);
  return exchange;
}
