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
import { ReadyReply, readyReply } from '../http/ready-reply.ts';
import type { Reply } from '../http/reply.ts';
import { isUnanswered, unanswered } from '../http/unanswered.ts';
import { awaitReply } from '../pipeline/handler-time.ts';
import { leaveUnread } from './body/body-reader.ts';
import { answeredAlready } from './body/read-body.ts';
import { connectionOf, type Exchange } from './connection/connection.ts';
import { isOutside } from './mounted-listener.ts';
import { sendStream } from './reply/send-stream.ts';
import { writeReply } from './reply/write-reply.ts';
import { contextOf, RequestExchange } from './request-context.ts';
import type { ServerSettings } from './served.ts';
import { handOver } from './upgrade.ts';
import { validateRequest } from './validate-request.ts';

/** Handles the requests of a server. `next` calls the next handler of the framework that has mounted the listener. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * Creates a listener. `expectsContinue` is true if clients wait for `100 Continue` before they send the body. If there is
 * a refusal, it is the reply to every valid request.
 */
export function requestListener(settings: ServerSettings, expectsContinue = false, refusal?: HttpProblem): Listener {
  return (request, response, next) => {
    const connection = connectionOf(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = new RequestExchange(request, response, connection, settings, expectsContinue, next);
    connection.received = exchange;
    if (connection.isFree) return answer(exchange, refusal);
    // The request keeps its asynchronous context. Otherwise it would run in the context of the previous request.
    const answerLater = AsyncResource.bind(() =>
      request.socket.destroyed || response.destroyed ? connection.runNext() : answer(exchange, refusal),
    );
    connection.enqueue(answerLater);
  };
}

/** Answers a request, with the refusal if there is one. No other request of the connection runs until `finish`. */
function answer(exchange: RequestExchange, refusal: HttpProblem | undefined): void {
  exchange.enter('handling');
  let reply: Reply | Promise<Reply>;
  try {
    reply = replyTo(exchange, refusal);
  } catch (error) {
    return fail(exchange, error);
  }
  // Most replies need no promise (`after.ts`).
  if (!(reply instanceof Promise)) return send(exchange, reply);
  const { request, connection, bodyLength, wholeBody, context, settings } = exchange;
  // The handler waits, and has not begun to read the body. Without this, Node would read the body into memory.
  if (bodyLength !== 0 && wholeBody === undefined && connection.reading === undefined) leaveUnread(request, connection);
  const replied = (reply: Reply): void => send(exchange, reply);
  const failed = (error: unknown): void => fail(exchange, error);
  awaitReply(reply, context, settings.log, replied, failed, true);
}

function replyTo(exchange: RequestExchange, refusal: HttpProblem | undefined): Reply | Promise<Reply> {
  try {
    validateRequest(exchange);
    if (refusal !== undefined) throw refusal;
  } catch (problem) {
    return refuse(exchange, problem);
  }
  return inRequest(exchange.context, exchange.settings.handler);
}

/** Returns the reply to an invalid request. */
function refuse(exchange: RequestExchange, problem: unknown): Reply | Promise<Reply> {
  const { request, settings } = exchange;
  // The path of an invalid target has no context yet.
  exchange.context ??= contextOf(exchange, pathAsSent(request.url!, settings.basePath));
  const { context } = exchange;
  if (isOutside(exchange)) return unanswered(context);
  const { refuse } = settings;
  if (refuse !== undefined && problem instanceof HttpProblem)
    return inRequest(context, (passed) => refuse(passed, problem));
  throw problem;
}

function send(exchange: Exchange, returned: Reply): void {
  const { context, request, next } = exchange;
  if (exchange.bodyLength !== 0) endReading(exchange);
  if (next !== undefined && isUnanswered(returned, context)) {
    finish(exchange);
    // The request is unchanged. Handlers of this library can no longer read its body.
    return next();
  }
  try {
    // The pipeline of an application has checked its reply. A plain handler may return any object.
    const isReady = returned instanceof ReadyReply && returned.isPlain;
    const reply = isReady ? returned : readyReply(returned, context, () => 'the handler');
    if (reply.status === 101) return handOver(exchange, reply, finish);
    if (reply.body instanceof Readable && request.method !== 'HEAD')
      return void sendStream(exchange, reply, reply.body, finish, fail);
    writeReply(exchange, reply);
    finish(exchange);
  } catch (error) {
    fail(exchange, error);
  }
}

/** Ends the reading of the body, because the handler has replied. */
function endReading(exchange: Exchange): void {
  const { connection, settings } = exchange;
  const { reading } = connection;
  if (reading?.exchange === exchange) reading.fail(answeredAlready());
  connection.readBodyOn();
  settings.bodies.release(exchange);
}

/** Sends a problem for the error, or closes the connection if a reply has started. */
function fail(exchange: Exchange, error: unknown): void {
  const { request, response, context, settings } = exchange;
  const isGone = error instanceof ClientGone;
  if (!isGone && !response.headersSent && !response.destroyed)
    return send(exchange, replyToError(error, context, settings.log));
  if (!isGone) report(error, context, settings.log);
  request.socket.destroy();
  finish(exchange);
}

/** Ends the exchange after the last write to its response. */
function finish(exchange: Exchange): void {
  if (exchange.state === 'done') return;
  const { connection, context, isLate, settings } = exchange;
  exchange.enter('done');
  if (exchange.bodyMemory > 0) settings.bodies.release(exchange);
  // A stage may have replaced a reply whose stream has an open file.
  releaseStreams(context, isLate);
  if (connection.received === exchange && isOver(exchange)) connection.received = undefined;
  if (connection.waiting.length > 0) connection.runNext();
}

/** True if the reply is flushed and the body has arrived. A parser error then belongs to a later request. */
function isOver({ bodyLength, next, request, response }: Exchange): boolean {
  if (next !== undefined) return true;
  // `writableFinished` becomes true later, at `finish` (Node 24).
  const isFlushed = response.writableEnded && response.writableLength === 0;
  return isFlushed && (bodyLength === 0 || request.complete);
}
