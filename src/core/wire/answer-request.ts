/**
 * Answers each request with one reply: that of the handler, or a problem in its place.
 *
 * The requests of a connection run one after the other, in order (RFC 9112 §9.3.2).
 */

import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
// Imported, because a test may replace the global timers by fake timers.
import { setImmediate } from 'node:timers';
import { ClientGone, HttpProblem, replyToError, report, reportLate, reportLateError } from '../message/problem.ts';
import { readyReply } from '../message/ready-reply.ts';
import { headerOf } from '../message/replies.ts';
import { discardReply, type Reply, trustedReply } from '../message/reply.ts';
import { InvalidReply } from '../message/reply-fault.ts';
import { SourceStream } from '../message/source-stream.ts';
import { dequeue, dropWaiting, enqueue } from './backlog.ts';
import { answeredAlready } from './body/read-body.ts';
import { type Connection, connectionOf, Exchange, type ExchangeSettings, isFlushed } from './connection/exchange.ts';
import { limitChunks, markConsumed } from './connection/node-internals.ts';
import { fallsThrough, isOutside } from './mounted-listener.ts';
import { pathAsSent } from './parser-events.ts';
import { firstBytes, MAX_HEAD_DELAY } from './reply/write-body.ts';
import { writeReply } from './reply/write-reply.ts';
import { validateRequest } from './validate-request.ts';

/** Listens for requests. `next` is what a framework has mounted behind. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/** Listens for requests. `expectation` is true where clients wait for `100 Continue`, or the problem with theirs. */
export function acceptor(settings: ExchangeSettings, expectation: boolean | HttpProblem = false): Listener {
  return (request, response, next) => {
    const connection = connectionOf(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = new Exchange(request, response, connection, settings);
    if (next !== undefined) exchange.record.fallThrough = { next, unansweredBody: undefined };
    if (expectation === true) exchange.expectsContinue = true;
    else if (expectation !== false) exchange.expectationFailure = expectation;
    connection.received = exchange;
    const isFirst = connection.running === undefined && connection.waiting.length === 0;
    if (isFirst && connection.backpressure === undefined) return run(exchange);
    // It runs in the asynchronous context in which it came in: the trace of a request is not that of the one before.
    const runLater = AsyncResource.bind(() =>
      request.socket.destroyed || response.destroyed ? runNext(connection) : run(exchange),
    );
    enqueue(connection, runLater);
    if (isFirst) runNext(connection);
  };
}

function runNext(connection: Connection): void {
  if (connection.output === 'closing') return dropWaiting(connection);
  const { backpressure } = connection;
  if (backpressure !== undefined) return void backpressure.once('finish', () => runNext(connection));
  // A thousand requests in one packet must not become a thousand nested calls.
  setImmediate(() => {
    if (connection.running !== undefined) return;
    dequeue(connection)?.();
  });
}

function run(exchange: Exchange): void {
  exchange.connection.running = exchange;
  exchange.connection.requests++;
  let reply: Reply | Promise<Reply>;
  try {
    reply = replyTo(exchange);
  } catch (error) {
    return fail(exchange, error);
  }
  if (!(reply instanceof Promise)) return send(exchange, reply);
  reply.then(
    (made) => {
      if (!exchange.replyStarted) send(exchange, made);
      else if (exchange.late === undefined) discardReply(made);
      else reportLate(made, exchange, exchange.settings.log);
    },
    (error: unknown) => {
      if (!exchange.replyStarted) fail(exchange, error);
      else reportLateError(error, exchange.late, exchange, exchange.settings.log);
    },
  );
}

function replyTo(exchange: Exchange): Reply | Promise<Reply> {
  try {
    validateRequest(exchange);
    if (exchange.bodyLength === 0 && exchange.record.fallThrough === undefined) markConsumed(exchange.request);
    if (exchange.bodyLength !== 0) limitChunks(exchange.request);
    if (exchange.expectationFailure !== undefined) throw exchange.expectationFailure;
  } catch (problem) {
    return refusal(exchange, problem);
  }
  return exchange.settings.handler(exchange);
}

/** The reply to a request that failed validation, perhaps before its path was read. */
function refusal(exchange: Exchange, problem: unknown): Reply | Promise<Reply> {
  const { request, record, settings } = exchange;
  if (exchange.path === '/') exchange.setUnvalidatedPath(pathAsSent(request.url!, settings.basePath));
  if (record.fallThrough !== undefined && isOutside(exchange)) {
    // It falls through, and no stage gets to see it.
    record.fallThrough.unansweredBody = '';
    return trustedReply(404, [], '');
  }
  if (settings.refuse !== undefined && problem instanceof HttpProblem) return settings.refuse(exchange, problem);
  throw problem;
}

function send(exchange: Exchange, reply: Reply): void {
  const { reading } = exchange.connection;
  const { fallThrough } = exchange.record;
  if (reading?.exchange === exchange) reading.fail(answeredAlready());
  if (exchange.bodyMemory > 0) exchange.settings.bodies.release(exchange);
  if (fallThrough !== undefined && fallsThrough(reply, exchange)) {
    // The framework goes on with request and response as they are: no handler may read the body from now on.
    exchange.replyStarted = true;
    finish(exchange);
    return fallThrough.next();
  }
  try {
    const ready = readyReply(reply, exchange, nameHandler) as Reply;
    if (ready.body instanceof Readable && exchange.method !== 'HEAD') sendStream(exchange, ready, ready.body);
    else writeReply(exchange, ready, finish);
  } catch (error) {
    fail(exchange, error);
  }
}
const nameHandler = (): string => 'the handler';

/** Sends a stream, which may fail before its first byte. */
function sendStream(exchange: Exchange, reply: Reply, body: Readable): void {
  exchange.response.once('close', () => discardReply(reply));
  // A client of rows, or of a stream with a length, does not need the head early; the time of the handler counts on.
  const isWritten = body instanceof SourceStream && body.value !== undefined;
  const waits = isWritten || headerOf(reply, 'Content-Length') !== undefined;
  const delay = waits ? undefined : MAX_HEAD_DELAY;
  firstBytes(body, delay)
    .then(
      () => (exchange.replyStarted ? discardReply(reply) : writeReply(exchange, reply, finish)),
      (cause: unknown) => {
        if (exchange.replyStarted) return;
        throw new InvalidReply(`${exchange.record.streams!.get(body)} streamed a body that failed`, { cause });
      },
    )
    .catch((error: unknown) => fail(exchange, error));
}

function fail(exchange: Exchange, error: unknown): void {
  const { response, connection, settings } = exchange;
  const isGone = error instanceof ClientGone;
  if (!isGone && !response.headersSent && !response.destroyed)
    return send(exchange, replyToError(error, exchange, settings.log));
  if (!isGone) report(error, exchange, settings.log);
  connection.socket.destroy();
  finish(exchange);
}

/** Nothing more is written to the response of this exchange. */
function finish(exchange: Exchange): void {
  const { bodyLength, connection, record, request, response, settings } = exchange;
  if (exchange.bodyMemory > 0) settings.bodies.release(exchange);
  // Those that a stage has replaced: their files would stay open.
  if (record.streams !== undefined) for (const body of record.streams.keys()) discardReply({ body });
  if (connection.running !== exchange) return;
  connection.running = undefined;
  // The reply is flushed and the body is in: no error can concern this request any more. A framework sees to its own.
  const isIn = bodyLength === 0 || request.complete;
  if (connection.received === exchange && (record.fallThrough !== undefined || (isIn && isFlushed(response))))
    connection.received = undefined;
  if (connection.waiting.length > 0) runNext(connection);
}

/** Ends the waiting for a reply that has taken `limit` milliseconds: 503, through the stage that waits for it (D48). */
export function giveUp(exchange: Exchange, limit: number): void {
  const { method, path, record, settings } = exchange;
  const { giveUp: endWaiting, route } = record;
  // Once there is a reply, its route is done and a stage is not.
  const who = route === undefined || record.hasReply ? 'a stage' : `the route "${method} ${route.template.text}"`;
  const late = `${who} has not answered within ${limit / 1000} s; answer sooner, or allow more time as handlerTimeout`;
  exchange.refusedBy('handlerTimeout');
  report(new Error(`Cannot wait longer for ${method} ${path}: ${late}`), exchange, settings.log);
  record.giveUp = undefined;
  const detail = 'The service took too long to answer this request';
  const problem = new HttpProblem(503, detail, { headers: { 'Retry-After': '10' } });
  exchange.late = problem;
  exchange.abandon(problem);
  if (endWaiting === undefined) send(exchange, replyToError(problem, exchange, settings.log));
  else endWaiting(problem);
}
