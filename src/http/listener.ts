/**
 * From `node:http` to `Context`, and from `Reply` back: the door of the house.
 *
 * The requests of a connection run one after the other. A handler that answers at once is done before the next request is
 * seen; only behind one that waits, or a client that does not read, do pipelined requests queue.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Backlog } from './connection/backlog.ts';
import { type Connection, connectionOf } from './connection/connection.ts';
import { Exchange, type ExchangeSettings } from './connection/exchange.ts';
import { useLingeringClose } from './connection/lingering-close.ts';
import { endStream } from './connection/mark-consumed.ts';
import { exchangeSettings, type ListenerOptions } from './listener-options.ts';
import { checkReply, InvalidReply } from './message/check-reply.ts';
import { ClientGone } from './message/client-gone.ts';
import type { Handler, Reply } from './message/context.ts';
import { withoutBasePath } from './message/path.ts';
import { HttpProblem, replyToError, report } from './message/problem.ts';
import { UNCHECKED } from './message/request-state.ts';
import { firstBytes, HEAD_PATIENCE } from './reply/first-bytes.ts';
import { writeReply } from './reply/write-reply.ts';
import { pathIn } from './request-line.ts';
import { checkRequest } from './validate-request.ts';

/** For `createServer` of `node:http`. A service of its own has more to guard: see `HttpService`. */
export function listener(handler: Handler, options: ListenerOptions = {}): RequestListener {
  const { accept } = makeAcceptor(handler, options, exchangeSettings(options));
  return (request, response) => accept(request, response, false);
}

const theHandler = (): string => 'the handler';

/** Its body is in and its reply has left: nothing can go wrong with it any more. */
const isOver = ({ announced, request, response }: Exchange): boolean =>
  response.writableFinished && (announced === 0 || request.complete);

/** Of a request that was refused before its path was read: for its problem and the log, never for routing. */
const pathAsSent = (target: string, basePath: string): string => withoutBasePath(pathIn(target) ?? '/', basePath);

/** What an `http.Server` tells of requests. */
export interface Acceptor {
  /** Takes a request in; `expectation` is a problem with its Expect header, or whether it waits for `100 Continue`. */
  accept(request: IncomingMessage, response: ServerResponse, expectation: boolean | HttpProblem): void;
  /** Answers a request whose handler has not returned a reply within `limit` milliseconds. */
  giveUp(exchange: Exchange, limit: number): void;
  /** Reads what has come in behind a request whose reply may never end: the end of the client's side may be among it (D41). */
  readOn(connection: Connection): void;
}

/** The listener behind every event of an `http.Server` that brings a request. */
export function makeAcceptor(handler: Handler, { refuse }: ListenerOptions, settings: ExchangeSettings): Acceptor {
  const backlog = new Backlog(),
    { log } = settings;

  function run(exchange: Exchange): void {
    exchange.connection.running = exchange;
    exchange.connection.requests++;
    let reply: Reply | Promise<Reply>;
    try {
      reply = answer(exchange);
    } catch (error) {
      return fail(exchange, error);
    }
    if (!(reply instanceof Promise)) return send(exchange, reply);
    reply.then(
      (made) => {
        if (exchange.answered) discard(made);
        else send(exchange, made);
      },
      (error: unknown) => {
        if (!exchange.answered) fail(exchange, error);
        else if (!(error instanceof ClientGone)) report(error, exchange, log);
      },
    );
  }

  function answer(exchange: Exchange): Reply | Promise<Reply> {
    try {
      checkRequest(exchange);
      if (exchange.announced === 0) endStream(exchange.request);
      if (exchange.unmet !== undefined) throw exchange.unmet;
    } catch (problem) {
      if (exchange.path === '/') exchange.refused(pathAsSent(exchange.request.url!, settings.basePath));
      if (refuse !== undefined && problem instanceof HttpProblem) return refuse(exchange, problem);
      throw problem;
    }
    return handler(exchange);
  }

  function send(exchange: Exchange, reply: Reply): void {
    // Nobody will read what is still to come of its body.
    if (exchange.connection.reading?.exchange === exchange) exchange.connection.reading.abandon();
    if (exchange.bodyMemory > 0) settings.bodies.release(exchange);
    try {
      const fit = checkReply(reply, exchange, theHandler, undefined) as Reply;
      if (exchange.maker !== undefined && fit.body instanceof Readable && exchange.method !== 'HEAD')
        sendStream(exchange, fit, fit.body);
      else writeReply(exchange, fit, finish);
    } catch (error) {
      fail(exchange, error);
    }
  }

  /** A stream of a plugin, which may fail before it has given anything. */
  function sendStream(exchange: Exchange, reply: Reply, body: Readable): void {
    // What says its length has no hurry to say more; the time of the handler is counted on.
    firstBytes(body, exchange.lacksLength ? HEAD_PATIENCE : undefined).then(
      () => {
        if (exchange.answered) return discard(reply);
        try {
          writeReply(exchange, reply, finish);
        } catch (error) {
          fail(exchange, error);
        }
      },
      (error: unknown) => {
        if (!exchange.answered)
          fail(exchange, new InvalidReply(`${exchange.maker} streamed a body that failed`, { cause: error }));
      },
    );
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { response, connection } = exchange;
    if (error instanceof ClientGone || response.headersSent || response.destroyed) {
      if (!(error instanceof ClientGone)) report(error, exchange, log);
      connection.socket.destroy();
      return finish(exchange);
    }
    // A head that could not be written has left its reason phrase behind.
    response.statusMessage = '';
    exchange.answered = false;
    send(exchange, replyToError(error, exchange, log));
  }

  /** A stage that waits for the reply answers in its place; where there is none, or it does not, the server does. */
  function giveUp(exchange: Exchange, limit: number): void {
    const problem = new HttpProblem(503, 'The service took too long to answer this request', {
      headers: { 'Retry-After': '10' },
    });
    const { giveUp: endWaiting, method, path, route } = exchange;
    const who =
      route === undefined || exchange.checked !== UNCHECKED
        ? 'a stage'
        : `the route "${method} ${route.template.text}"`;
    report(
      new Error(
        `Cannot wait longer for ${method} ${path}: ${who} has not answered within ${limit / 1000} s; answer sooner, or ` +
          'allow more time as handlerTimeout',
      ),
      exchange,
      log,
    );
    exchange.giveUp = undefined;
    if (endWaiting === undefined) send(exchange, replyToError(problem, exchange, log));
    else endWaiting(problem);
  }

  function finish(exchange: Exchange): void {
    const { connection } = exchange;
    if (exchange.bodyMemory > 0) settings.bodies.release(exchange);
    if (connection.running !== exchange) return;
    connection.running = undefined;
    if (connection.received === exchange && isOver(exchange)) connection.received = undefined;
    if (connection.waiting.length > 0) runWaiting(connection);
  }

  function runWaiting(connection: Connection): void {
    if (connection.over) {
      useLingeringClose(connection.socket, settings.limits);
      return backlog.drop(connection);
    }
    if (connection.isBehind()) {
      connection.sent!.once('finish', () => {
        connection.paid();
        runWaiting(connection);
      });
      return;
    }
    // Deferred: a thousand requests in one packet must not become a thousand nested calls.
    setImmediate(() => {
      if (connection.running !== undefined) return;
      const next = backlog.next(connection);
      if (next === undefined) return;
      if (connection.socket.destroyed || next.response.destroyed) return runWaiting(connection);
      run(next);
    });
  }

  function accept(request: IncomingMessage, response: ServerResponse, expectation: boolean | HttpProblem): void {
    const connection = connectionOf(request.socket);
    if (connection.over) useLingeringClose(connection.socket, settings.limits);
    if (connection.deaf || connection.over) return;
    const exchange = new Exchange(request, response, connection, settings);
    if (expectation === true) exchange.expectsContinue = true;
    else if (expectation !== false) exchange.unmet = expectation;
    connection.received = exchange;
    const alone = connection.running === undefined && connection.waiting.length === 0;
    if (alone && !connection.isBehind()) return run(exchange);
    backlog.add(exchange);
    if (alone) runWaiting(connection);
  }

  return { accept, giveUp, readOn: (connection) => backlog.readOn(connection) };
}

/** Lets go of a reply that comes too late to be sent. */
function discard({ body }: Reply): void {
  if (body instanceof Readable) body.destroy();
}
