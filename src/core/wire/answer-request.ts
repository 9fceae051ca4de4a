/**
 * Answers one request with one reply: that of the handler, or a problem in its place.
 *
 * `answer` asks for the reply, `send` or `fail` writes it, and `finish` lets the next request of the connection run.
 */
import { Readable } from 'node:stream';
import { discardReply } from '../message/made-reply.ts';
import { ClientGone, HttpProblem, replyToError, report } from '../message/problem.ts';
import { streamsOf } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { runNext } from './backlog.ts';
import { answeredAlready } from './body/read-body.ts';
import { type Exchange, isFlushed } from './connection/exchange.ts';
import { limitChunks, markConsumed } from './connection/node-internals.ts';
import { reportLate, reportLateError } from './handler-time.ts';
import { fallsThrough, isOutside, nextOf, passOn, unanswered } from './mounted-listener.ts';
import { pathAsSent } from './parser-events.ts';
import { sendStream } from './reply/send-stream.ts';
import { writeReply } from './reply/write-reply.ts';
import { validateRequest } from './validate-request.ts';

/** Answers a request. No other request of its connection runs until `finish` has been called. */
export function answer(exchange: Exchange): void {
  const { connection, settings } = exchange;
  connection.running = exchange;
  connection.requests++;
  let reply: Reply | Promise<Reply>;
  try {
    reply = replyTo(exchange);
  } catch (error) {
    return fail(exchange, error);
  }
  if (!(reply instanceof Promise)) return send(exchange, reply);
  // The watch may have sent a problem in the meantime: the time was over.
  reply.then(
    (made) => (exchange.replyStarted ? reportLate(made, exchange, settings.log) : send(exchange, made)),
    (error: unknown) =>
      exchange.replyStarted ? reportLateError(error, exchange.late, exchange, settings.log) : fail(exchange, error),
  );
}

function replyTo(exchange: Exchange): Reply | Promise<Reply> {
  try {
    validateRequest(exchange);
    prepareBody(exchange);
  } catch (problem) {
    return refuse(exchange, problem);
  }
  return exchange.settings.handler(exchange);
}

function send(exchange: Exchange, reply: Reply): void {
  endReading(exchange);
  if (fallsThrough(reply, exchange)) return passOn(exchange, finish);
  try {
    if (reply.body instanceof Readable && exchange.method !== 'HEAD')
      sendStream(exchange, reply, reply.body, finish, fail);
    else writeReply(exchange, reply, finish);
  } catch (error) {
    fail(exchange, error);
  }
}

/** Sends a problem for the error, or closes the connection if no problem can be sent any more. */
export function fail(exchange: Exchange, error: unknown): void {
  const { response, connection, settings } = exchange;
  const isGone = error instanceof ClientGone;
  if (!isGone && !response.headersSent && !response.destroyed)
    return send(exchange, replyToError(error, exchange, settings.log));
  if (!isGone) report(error, exchange, settings.log);
  connection.socket.destroy();
  finish(exchange);
}

/** Ends the exchange: nothing more is written to its response. */
function finish(exchange: Exchange): void {
  const { connection } = exchange;
  release(exchange);
  if (connection.running !== exchange) return;
  connection.running = undefined;
  if (connection.received === exchange && isOver(exchange)) connection.received = undefined;
  if (connection.waiting.length > 0) runNext(connection);
}

function prepareBody(exchange: Exchange): void {
  if (exchange.bodyLength !== 0) limitChunks(exchange.request);
  else if (nextOf(exchange) === undefined) markConsumed(exchange.request);
  if (exchange.expectationFailure !== undefined) throw exchange.expectationFailure;
}

/** The reply to a request that failed validation, perhaps before its path was read. */
function refuse(exchange: Exchange, problem: unknown): Reply | Promise<Reply> {
  const { request, settings } = exchange;
  if (exchange.path === '/') exchange.setPath(pathAsSent(request.url!, settings.basePath));
  if (isOutside(exchange)) return unanswered(exchange);
  if (settings.refuse !== undefined && problem instanceof HttpProblem) return settings.refuse(exchange, problem);
  throw problem;
}

/** The handler may not read the body any more. */
function endReading(exchange: Exchange): void {
  if (exchange.bodyLength === 0) return;
  const { reading } = exchange.connection;
  if (reading?.exchange === exchange) reading.fail(answeredAlready());
  exchange.settings.bodies.release(exchange);
}

function release(exchange: Exchange): void {
  if (exchange.bodyLength !== 0) exchange.settings.bodies.release(exchange);
  // Those that a stage has replaced: their files would stay open.
  for (const body of streamsOf(exchange)?.keys() ?? []) discardReply({ body });
}

/** Can no error concern this request any more: is the reply flushed and the body in? A framework sees to its own. */
function isOver(exchange: Exchange): boolean {
  const { bodyLength, request, response } = exchange;
  return nextOf(exchange) !== undefined || ((bodyLength === 0 || request.complete) && isFlushed(response));
}
