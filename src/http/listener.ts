/**
 * Decides when a request runs: those of a connection run one after the other, in order (RFC 9112 §9.3.2).
 *
 * Requests queue only behind a handler that waits, or while the client does not read.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { makeAnswerer } from './answer-request.ts';
import { Backlog } from './connection/backlog.ts';
import { type Connection, connectionOf } from './connection/connection.ts';
import type { WatchActions } from './connection/connection-watch.ts';
import { Exchange, type ExchangeSettings } from './connection/exchange.ts';
import {
  exchangeSettings,
  type ListenerOptions,
  type RefusalHandler,
  type Servable,
  servableOf,
} from './listener-options.ts';
import type { Handler } from './message/context.ts';
import type { HttpProblem } from './message/problem.ts';

/**
 * Turns an application or a handler into a listener for `createServer` of `node:http`, within the limits of heads and
 * bodies. `HttpService` also guards the connections. Throws as `exchangeSettings` does.
 */
export function listener(served: Handler | Servable, options: ListenerOptions = {}): RequestListener {
  const { handler, refuse, ...settings } = servableOf(served);
  const { accept } = acceptRequests(handler, options.refuse ?? refuse, exchangeSettings(options, settings));
  return (request, response) => accept(request, response, false);
}

/** The listener behind each event of an `http.Server` that brings a request. */
export interface Acceptor extends WatchActions {
  /** `expectation` is what is wrong with an `Expect` header, or whether the client waits for `100 Continue`. */
  accept(request: IncomingMessage, response: ServerResponse, expectation: boolean | HttpProblem): void;
}

/** Runs `handler` for the requests that are accepted. */
export function acceptRequests(
  handler: Handler,
  refuse: RefusalHandler | undefined,
  settings: ExchangeSettings,
): Acceptor {
  const backlog = new Backlog();
  const { answer, giveUp } = makeAnswerer(handler, refuse, settings, finish);

  function accept(request: IncomingMessage, response: ServerResponse, expectation: boolean | HttpProblem): void {
    const connection = connectionOf<Exchange>(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = new Exchange(request, response, connection, settings);
    if (expectation === true) exchange.expectsContinue = true;
    else if (expectation !== false) exchange.expectationFailure = expectation;
    connection.received = exchange;
    const isFirst = connection.running === undefined && connection.waiting.length === 0;
    if (isFirst && !connection.isBackpressured()) return run(exchange);
    backlog.add(exchange);
    if (isFirst) runNext(connection);
  }

  function run(exchange: Exchange): void {
    exchange.connection.running = exchange;
    exchange.connection.requests++;
    answer(exchange);
  }

  function finish(exchange: Exchange): void {
    const { connection } = exchange;
    if (exchange.bodyMemory > 0) settings.bodies.release(exchange);
    if (connection.running !== exchange) return;
    connection.running = undefined;
    if (connection.received === exchange && isComplete(exchange)) connection.received = undefined;
    if (connection.waiting.length > 0) runNext(connection);
  }

  function runNext(connection: Connection<Exchange>): void {
    if (connection.output === 'closing') return backlog.drop(connection);
    if (connection.isBackpressured()) return connection.onceFlushed(() => runNext(connection));
    // A thousand requests in one packet must not become a thousand nested calls.
    setImmediate(() => {
      if (connection.running !== undefined) return;
      const next = backlog.next(connection);
      if (next === undefined) return;
      if (connection.socket.destroyed || next.response.destroyed) return runNext(connection);
      run(next);
    });
  }

  return { accept, giveUp, readOn: (connection) => backlog.readOn(connection) };
}

/** The reply is flushed and the body is in: no error can concern this request any more. */
const isComplete = ({ bodyLength, request, response }: Exchange): boolean =>
  response.writableFinished && (bodyLength === 0 || request.complete);
