/**
 * Accepts the requests of a connection and runs them one after the other, in their order (RFC 9112 §9.3.2).
 *
 * A request waits while the one before it is answered, or while the client does not read what was sent to it.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpProblem } from '../message/problem.ts';
import { answer } from './answer-request.ts';
import { enqueue, runNext } from './backlog.ts';
import { connectionOf, Exchange, type ExchangeSettings } from './connection/exchange.ts';
import { setNext } from './mounted-listener.ts';

/** Listens for requests. `next` is what a framework has mounted behind. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Makes a listener. `expectation`: true if clients wait for `100 Continue`, a problem if they expect another thing. */
export function acceptor(settings: ExchangeSettings, expectation: boolean | HttpProblem = false): Listener {
  return (request, response, next) => {
    const connection = connectionOf(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = new Exchange(request, response, connection, settings);
    if (next !== undefined) setNext(exchange, next);
    if (expectation === true) exchange.expectsContinue = true;
    else if (expectation !== false) exchange.expectationFailure = expectation;
    connection.received = exchange;
    const isFirst = connection.running === undefined && connection.waiting.length === 0;
    if (isFirst && connection.backpressure === undefined) return answer(exchange);
    // It runs in the asynchronous context in which it came in: the trace of a request is not that of the one before.
    const answerLater = AsyncResource.bind(() =>
      request.socket.destroyed || response.destroyed ? runNext(connection) : answer(exchange),
    );
    enqueue(connection, answerLater);
    if (isFirst) runNext(connection);
  };
}
