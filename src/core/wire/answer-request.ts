/**
 * Answers requests: each with one reply, that of the handler, or a problem in its place.
 *
 * The requests of a connection run one after the other, in their order (RFC 9112 §9.3.2). `answer` asks for the reply,
 * `send` or `fail` writes it, and `finish` lets the next request run.
 */
import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { report } from '../message/error-log.ts';
import { discardReply } from '../message/made-reply.ts';
import { pathAsSent } from '../message/path.ts';
import { ClientGone, HttpProblem, replyToError } from '../message/problem.ts';
import { streamsOf } from '../message/ready-reply.ts';
import type { Reply } from '../message/reply.ts';
import { isUnanswered, unanswered } from '../message/unanswered.ts';
import { answeredAlready, readBody } from './body/read-body.ts';
import { connectionOf, isFlushed } from './connection/connection.ts';
import { Exchange } from './connection/exchange.ts';
import { limitChunks, markConsumed } from './connection/node-internals.ts';
import { reportLate, reportLateError } from './handler-time.ts';
import { isOutside, passOn } from './mounted-listener.ts';
import { sendStream } from './reply/send-stream.ts';
import { writeReply } from './reply/write-reply.ts';
import type { ServerSettings } from './served.ts';
import { validateRequest } from './validate-request.ts';

/** Listens for requests. `next` is what a framework has mounted behind. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Makes a listener. `expectation`: true if clients wait for `100 Continue`, a problem if they expect another thing. */
export function requestListener(shared: ServerSettings, expectation: boolean | HttpProblem = false): Listener {
  // The exchange cannot import it: `read-body.ts` imports the exchange.
  const settings = { ...shared, readBody };
  return (request, response, next) => {
    const connection = connectionOf(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = (connection.received = new Exchange(request, response, settings));
    exchange.next = next;
    exchange.expectsContinue = expectation === true;
    if (typeof expectation === 'object') exchange.expectationFailure = expectation;
    const isFirst = connection.running === undefined && connection.waiting.length === 0;
    if (isFirst && connection.backpressure === undefined) return answer(exchange);
    // It runs in the asynchronous context in which it came in: the trace of a request is not that of the one before.
    const answerLater = AsyncResource.bind(() =>
      request.socket.destroyed || response.destroyed ? connection.runNext() : answer(exchange),
    );
    connection.enqueue(answerLater);
    if (isFirst) connection.runNext();
  };
}

/** Answers a request. No other request of its connection runs until `finish` has been called. */
function answer(exchange: Exchange): void {
  const { request } = exchange;
  const connection = connectionOf(request.socket);
  connection.running = exchange;
  connection.requests++;
  let reply: Reply | Promise<Reply>;
  try {
    reply = replyTo(exchange);
  } catch (error) {
    return fail(exchange, error);
  }
  // A promise for each reply would take 7 % of a GET by id.
  if (reply instanceof Promise) void sendLater(exchange, reply);
  else send(exchange, reply);
}

async function sendLater(exchange: Exchange, promised: Promise<Reply>): Promise<void> {
  const { log } = exchange.settings;
  try {
    const reply = await promised;
    // The watch has sent a problem in the meantime if the time was over.
    if (exchange.replyStarted) reportLate(reply, exchange, log);
    else send(exchange, reply);
  } catch (error) {
    if (exchange.replyStarted) reportLateError(error, exchange.late, exchange, log);
    else fail(exchange, error);
  }
}

function replyTo(exchange: Exchange): Reply | Promise<Reply> {
  const { request, settings, expectationFailure } = exchange;
  try {
    validateRequest(exchange);
    // Few chunks of a body wait until it is read. Without a body nothing is read, except by a framework.
    if (exchange.bodyLength !== 0) limitChunks(request);
    else if (exchange.next === undefined) markConsumed(request);
    if (expectationFailure !== undefined) throw expectationFailure;
  } catch (problem) {
    return refuse(exchange, problem);
  }
  return settings.handler(exchange);
}

/** The reply to a request that failed validation, perhaps before its path was read. */
function refuse(exchange: Exchange, problem: unknown): Reply | Promise<Reply> {
  const { request, settings } = exchange;
  // It has the path of a new exchange still.
  if (exchange.path === '/') exchange.setPath(pathAsSent(request.url!, settings.basePath));
  if (isOutside(exchange)) return unanswered(exchange);
  if (settings.refuse !== undefined && problem instanceof HttpProblem) return settings.refuse(exchange, problem);
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

/** The handler may not read the body any more. */
function endReading(exchange: Exchange): void {
  const { reading } = connectionOf(exchange.request.socket);
  if (reading?.exchange === exchange) reading.fail(answeredAlready());
  exchange.settings.bodies.release(exchange);
}

/** Sends a problem for the error, or closes the connection if no problem can be sent any more. */
export function fail(exchange: Exchange, error: unknown): void {
  const { request, response, settings } = exchange;
  const isGone = error instanceof ClientGone;
  if (!isGone && !response.headersSent && !response.destroyed)
    return send(exchange, replyToError(error, exchange, settings.log));
  if (!isGone) report(error, exchange, settings.log);
  request.socket.destroy();
  finish(exchange);
}

/** Ends the exchange: nothing more is written to its response. */
function finish(exchange: Exchange): void {
  const connection = connectionOf(exchange.request.socket);
  if (exchange.bodyLength !== 0) exchange.settings.bodies.release(exchange);
  // Those that a stage has replaced: their files would stay open.
  for (const body of streamsOf(exchange)?.keys() ?? []) discardReply({ body });
  if (connection.running !== exchange) return;
  connection.running = undefined;
  if (connection.received === exchange && isOver(exchange)) connection.received = undefined;
  if (connection.waiting.length > 0) connection.runNext();
}

/** Can no error concern this request any more: is the reply flushed and the body in? A framework sees to its own. */
function isOver(exchange: Exchange): boolean {
  const { bodyLength, request, response } = exchange;
  return exchange.next !== undefined || ((bodyLength === 0 || request.complete) && isFlushed(response));
}
