/**
 * From `node:http` to `Context`, and from `Reply` back: the door of the house.
 *
 * The requests of a connection run one after the other. A handler that answers at once is done before the next request is
 * seen; only behind one that waits, or a client that does not read, do pipelined requests queue.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Backlog } from './backlog.ts';
import { ChunksOnTheWay } from './chunks-on-the-way.ts';
import { ClientGone } from './client-gone.ts';
import { connectionOf, type Connection } from './connection.ts';
import type { Context, Handler, Reply } from './context.ts';
import { endStream } from './end-stream.ts';
import { Exchange, type ExchangeSettings } from './exchange.ts';
import { LIMITS, type Limits } from './limits.ts';
import { withoutBasePath } from './path.ts';
import { HttpProblem, logToConsole, replyToError, report, type ErrorLog } from './problem.ts';
import { checkRequest } from './request-checks.ts';
import { closeGently } from './wire-errors.ts';
import { writeReply } from './write-reply.ts';

/** Answers a request that is refused at the door. */
export type Refusal = (context: Context, problem: HttpProblem) => Reply | Promise<Reply>;

/** What a listener may be told. */
export interface ListenerOptions {
  readonly limits?: Partial<Limits>;
  /** Removed from a path that begins with it, ignoring case (D16). */
  readonly basePath?: string;
  /** What a trusted proxy cut off in front of the path of a request; links are written behind it. */
  readonly prefixOf?: (request: IncomingMessage) => string;
  readonly refuse?: Refusal;
  readonly log?: ErrorLog;
}

/** For `createServer` of `node:http`. A service of its own has more to guard: see `HttpService`. */
export function listener(handler: Handler, options: ListenerOptions = {}): RequestListener {
  const accept = acceptor(handler, options, exchangeSettings(options));
  return (request, response) => accept(request, response, false);
}

/** The options with their defaults. */
export function exchangeSettings({ limits: given = {}, basePath = '', prefixOf }: ListenerOptions): ExchangeSettings {
  const names = Object.keys(LIMITS) as (keyof Limits)[];
  const limits = Object.fromEntries(names.map((name) => [name, given[name] ?? LIMITS[name]])) as unknown as Limits;
  return { limits, basePath, prefixOf, onTheWay: new ChunksOnTheWay(), keepAlive: 0, closing: false };
}

/** Its body is in and its reply has left: nothing can go wrong with it any more. */
const isOver = ({ announced, request, response }: Exchange): boolean => response.writableFinished && (announced === 0 || request.complete);

/** Of a request that was refused before its path was read: for its problem and the log, never for routing. */
const pathAsSent = (target: string, basePath: string): string =>
  (target.startsWith('/') ? withoutBasePath(/^[^?#]*/.exec(target)![0], basePath) : '/');

/** Takes a request in; `expectation` is a problem with its Expect header, or whether it waits for `100 Continue`. */
export type Accept = (request: IncomingMessage, response: ServerResponse, expectation: boolean | HttpProblem) => void;

/** The listener behind every event of an `http.Server` that brings a request. */
export function acceptor(handler: Handler, { refuse, log = logToConsole }: ListenerOptions, settings: ExchangeSettings): Accept {
  const backlog = new Backlog();

  function run(exchange: Exchange): void {
    exchange.connection.running = exchange;
    exchange.connection.requests++;
    let reply: Reply | Promise<Reply>;
    try {
      reply = answer(exchange);
    } catch (error) {
      return fail(exchange, error);
    }
    if (reply instanceof Promise) reply.then((made) => send(exchange, made), (error: unknown) => fail(exchange, error));
    else send(exchange, reply);
  }

  function answer(exchange: Exchange): Reply | Promise<Reply> {
    try {
      checkRequest(exchange);
      if (exchange.announced === 0) endStream(exchange.request);
      if (exchange.unmet !== undefined) throw exchange.unmet;
    } catch (problem) {
      if (exchange.path === '/') exchange.path = pathAsSent(exchange.request.url!, settings.basePath);
      if (refuse !== undefined && problem instanceof HttpProblem) return refuse(exchange, problem);
      throw problem;
    }
    return handler(exchange);
  }

  function send(exchange: Exchange, reply: Reply): void {
    try {
      writeReply(exchange, reply, finish);
    } catch (error) {
      fail(exchange, error);
    }
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
    send(exchange, replyToError(error, exchange, log));
  }

  function finish(exchange: Exchange): void {
    const { connection } = exchange;
    if (connection.running !== exchange) return;
    connection.running = undefined;
    if (connection.received === exchange && isOver(exchange)) connection.received = undefined;
    if (connection.waiting.length > 0) runWaiting(connection);
  }

  function runWaiting(connection: Connection): void {
    if (connection.over) {
      closeGently(connection.socket);
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

  return (request, response, expectation) => {
    const connection = connectionOf(request.socket);
    if (connection.over) closeGently(connection.socket);
    if (connection.deaf || connection.over) return;
    const exchange = new Exchange(request, response, connection, settings);
    if (expectation === true) exchange.expectsContinue = true;
    else if (expectation !== false) exchange.unmet = expectation;
    connection.received = exchange;
    const alone = connection.running === undefined && connection.waiting.length === 0;
    if (alone && !connection.isBehind()) return run(exchange);
    backlog.add(exchange);
    if (alone) runWaiting(connection);
  };
}
