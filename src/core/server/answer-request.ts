/**
 * Answers each request with one reply: the reply of the handler, or a problem.
 *
 * The requests of a connection run one after another, in their order (RFC 9112 §9.3.2). `answer` calls the handler,
 * `send` or `fail` writes the reply, and `finish` starts the next request.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { report } from '../http/error-log.ts';
import { inRequest, releaseStreams } from '../http/held-streams.ts';
import { pathAsSent } from '../http/path.ts';
import { ClientGone, HttpProblem, replyToError } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { isUnanswered, unanswered } from '../http/unanswered.ts';
import { reportLate, reportLateError } from '../pipeline/handler-time.ts';
import { leaveUnread } from './body/body-reader.ts';
import { answeredAlready, readBody } from './body/read-body.ts';
import { connectionOf, isFlushed } from './connection/connection.ts';
import { Exchange } from './connection/exchange.ts';
import { isOutside, passOn } from './mounted-listener.ts';
import { sendStream } from './reply/send-stream.ts';
import { writeReply } from './reply/write-reply.ts';
import type { ServerSettings } from './served.ts';
import { validateRequest } from './validate-request.ts';

/** Handles the requests of a server. `next` calls the next handler of the framework that has mounted the listener. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Creates a listener. `expectation` is true if clients wait for `100 Continue`; a problem for other expectations. */
export function requestListener(shared: ServerSettings, expectation: boolean | HttpProblem = false): Listener {
  // The exchange cannot import `readBody`, because `read-body.ts` imports the exchange.
  const settings = { ...shared, readBody };
  return (request, response, next) => {
    const connection = connectionOf(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = (connection.received = new Exchange(request, response, settings));
    exchange.next = next;
    exchange.expectsContinue = expectation === true;
    if (typeof expectation === 'object') exchange.expectationFailure = expectation;
    if (connection.isFree) return answer(exchange);
    // The request keeps its asynchronous context. Otherwise it would run in the context of the previous request.
    const answerLater = AsyncResource.bind(() =>
      request.socket.destroyed || response.destroyed ? connection.runNext() : answer(exchange),
    );
    connection.enqueue(answerLater);
  };
}

/** Answers a request. No other request of the connection runs until `finish` is called. */
function answer(exchange: Exchange): void {
  const { request } = exchange;
  const connection = connectionOf(request.socket);
  connection.running = exchange;
  let reply: Reply | Promise<Reply>;
  try {
    reply = replyTo(exchange);
  } catch (error) {
    return fail(exchange, error);
  }
  // A promise for each reply would take 7 % of the time of a GET by id.
  if (reply instanceof Promise) {
    if (exchange.bodyLength !== 0 && exchange.wholeBody === undefined && connection.reading === undefined)
      leaveUnread(request, connection);
    void sendLater(exchange, reply);
  } else send(exchange, reply);
}

async function sendLater(exchange: Exchange, promised: Promise<Reply>): Promise<void> {
  const { log } = exchange.settings;
  try {
    const reply = await promised;
    // If the handler took too long, `watch.ts` has sent a problem already.
    if (exchange.replyStarted) reportLate(reply, exchange, log);
    else send(exchange, reply);
  } catch (error) {
    if (exchange.replyStarted) reportLateError(error, exchange.late, exchange, log);
    else fail(exchange, error);
  }
}

function replyTo(exchange: Exchange): Reply | Promise<Reply> {
  const { settings, expectationFailure } = exchange;
  try {
    validateRequest(exchange);
    if (expectationFailure !== undefined) throw expectationFailure;
  } catch (problem) {
    return refuse(exchange, problem);
  }
  return inRequest(exchange, settings.handler);
}

/** Returns the reply to an invalid request, whose path may not have been parsed yet. */
function refuse(exchange: Exchange, problem: unknown): Reply | Promise<Reply> {
  const { request, settings } = exchange;
  // "/" is the initial path of an exchange, so the path may not have been set.
  if (exchange.path === '/') exchange.setPath(pathAsSent(request.url!, settings.basePath));
  if (isOutside(exchange)) return unanswered(exchange);
  const { refuse } = settings;
  if (refuse !== undefined && problem instanceof HttpProblem)
    return inRequest(exchange, (context) => refuse(context, problem));
  throw problem;
}

function send(exchange: Exchange, reply: Reply): void {
  if (exchange.bodyLength !== 0) endReading(exchange);
  if (exchange.next !== undefined && isUnanswered(reply, exchange)) return passOn(exchange, finish);
  try {
    if (reply.body instanceof Readable && exchange.method !== 'HEAD')
      void sendStream(exchange, reply, reply.body, finish, fail);
    else writeReply(exchange, reply, finish);
  } catch (error) {
    fail(exchange, error);
  }
}

/** Ends the reading of the body, because the handler has replied. */
function endReading(exchange: Exchange): void {
  const connection = connectionOf(exchange.request.socket);
  const { reading } = connection;
  if (reading?.exchange === exchange) reading.fail(answeredAlready());
  connection.readBodyOn();
  exchange.settings.bodies.release(exchange);
}

/** Sends a problem for the error, or closes the connection if a reply has started. */
export function fail(exchange: Exchange, error: unknown): void {
  const { request, response, settings } = exchange;
  const isGone = error instanceof ClientGone;
  if (!isGone && !response.headersSent && !response.destroyed)
    return send(exchange, replyToError(error, exchange, settings.log));
  if (!isGone) report(error, exchange, settings.log);
  request.socket.destroy();
  finish(exchange);
}

/** Ends the exchange after the last write to its response. */
function finish(exchange: Exchange): void {
  const connection = connectionOf(exchange.request.socket);
  if (exchange.bodyLength !== 0) exchange.settings.bodies.release(exchange);
  // A stage may have replaced a reply whose stream has an open file.
  releaseStreams(exchange, exchange.late !== undefined);
  if (connection.running !== exchange) return;
  connection.running = undefined;
  if (connection.received === exchange && isOver(exchange)) connection.received = undefined;
  if (connection.waiting.length > 0) connection.runNext();
}

/** True if the reply is flushed and the body has arrived. A parser error then belongs to a later request. */
function isOver(exchange: Exchange): boolean {
  const { bodyLength, request, response } = exchange;
  return exchange.next !== undefined || ((bodyLength === 0 || request.complete) && isFlushed(response));
}
