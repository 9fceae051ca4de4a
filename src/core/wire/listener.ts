/**
 * Decides when a request runs: those of a connection run one after the other, in order (RFC 9112 §9.3.2).
 *
 * Requests queue only behind a handler that waits, or while the client does not read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '../message/context.ts';
import type { HttpProblem } from '../message/problem.ts';
import { discardReply } from '../message/reply.ts';
import { makeAnswerer } from './answer-request.ts';
import { parsedBody } from './body/read-body.ts';
import type { WatchActions } from './connection/closing.ts';
import { type Connection, connectionOf, Exchange, type ExchangeSettings } from './connection/exchange.ts';
import {
  assertServingOptions,
  exchangeSettings,
  type ListenerOptions,
  type RefusalHandler,
  type Servable,
  servableOf,
} from './listener-options.ts';
import { mountPathOf } from './mounted-listener.ts';

/** Listens for requests. `next` is what a framework has mounted behind. */
export type Listener = (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => void;

/**
 * Turns an application or a handler into a listener for `createServer` of `node:http`, or a middleware of Express,
 * Connect and Fastify, within the limits of heads and bodies. `HttpService` also guards the connections. Throws as
 * `exchangeSettings` does.
 *
 * With `next`, a request that nothing answers is passed on untouched, and so is one that is refused outside the mount
 * path and the base path (D78). Every other reply is sent, problems too: `next` never gets an error.
 *
 *     const api = listener(application([todo()])); // express().use('/api', api)
 */
export function listener(served: Handler | Servable, options: ListenerOptions = {}): Listener {
  assertServingOptions(options);
  const { handler, refuse, ...settings } = servableOf(served);
  const mounted = mountedSettings(exchangeSettings(options, settings));
  const { accept } = acceptRequests(handler, options.refuse ?? refuse, mounted);
  return (request, response, next) => accept(request, response, false, next);
}

/** A framework may have read the body, and removed the path under which it has mounted the listener (D78). */
function mountedSettings(settings: ExchangeSettings): ExchangeSettings {
  const { prefixOf } = settings;
  const wholePrefixOf = (request: IncomingMessage): string => (prefixOf?.(request) ?? '') + mountPathOf(request);
  return { ...settings, prefixOf: wholePrefixOf, readBody: parsedBody };
}

/** Runs the requests that were accepted with these settings. */
const runners = new WeakMap<ExchangeSettings, (exchange: Exchange) => void>();

/** The listener behind each event of an `http.Server` that brings a request. */
export interface Acceptor extends WatchActions {
  /** `expectation` is what is wrong with an `Expect` header, or whether the client waits for `100 Continue`. */
  accept(
    request: IncomingMessage,
    response: ServerResponse,
    expectation: boolean | HttpProblem,
    next?: () => void,
  ): void;
}

/** Runs `handler` for the requests that are accepted. */
export function acceptRequests(
  handler: Handler,
  refuse: RefusalHandler | undefined,
  settings: ExchangeSettings,
): Acceptor {
  const { answer, giveUp } = makeAnswerer(handler, refuse, settings, finish);
  runners.set(settings, run);

  function accept(
    request: IncomingMessage,
    response: ServerResponse,
    expectation: boolean | HttpProblem,
    next?: () => void,
  ): void {
    const connection = connectionOf(request.socket);
    if (connection.input === 'ignored' || connection.output === 'closing') return;
    const exchange = new Exchange(request, response, connection, settings);
    if (next !== undefined) exchange.record.fallThrough = { next, unansweredBody: undefined };
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
    // Those that a stage has replaced: their files would stay open.
    if (exchange.record.streams !== undefined)
      for (const body of exchange.record.streams.keys()) discardReply({ body });
    if (connection.running !== exchange) return;
    connection.running = undefined;
    if (connection.received === exchange && isComplete(exchange)) connection.received = undefined;
    if (connection.waiting.length > 0) runNext(connection);
  }

  function runNext(connection: Connection): void {
    if (connection.output === 'closing') return backlog.drop(connection);
    if (connection.isBackpressured()) return connection.onceFlushed(() => runNext(connection));
    // A thousand requests in one packet must not become a thousand nested calls.
    setImmediate(() => {
      if (connection.running !== undefined) return;
      const next = backlog.next(connection);
      if (next === undefined) return;
      if (connection.socket.destroyed || next.response.destroyed) return runNext(connection);
      runners.get(next.settings)!(next);
    });
  }

  return { accept, giveUp, readOn: (connection) => backlog.readOn(connection) };
}

/** The reply is flushed and the body is in: no error can concern this request any more. A framework sees to its own. */
const isComplete = ({ bodyLength, record, request, response }: Exchange): boolean =>
  record.fallThrough !== undefined || (response.writableFinished && (bodyLength === 0 || request.complete));

/** Each takes about 4 KB. */
const MAX_WAITING_REQUESTS = 5000;

/**
 * The pipelined requests that wait behind another one, on all connections together. Node parses a packet to its end
 * even when the socket is paused, and 64 KB hold 2,500 requests.
 */
class Backlog {
  readonly #paused = new Set<Connection>();
  readonly #listened = new WeakSet<Connection>();
  #size = 0;

  /** Queues a request and pauses its connection. */
  add(exchange: Exchange): void {
    const { connection } = exchange;
    if (!this.#paused.has(connection)) this.#pause(connection);
    connection.waiting.push(exchange);
    if (++this.#size <= MAX_WAITING_REQUESTS) return;
    connection.input = 'ignored';
    connection.socket.destroy();
  }

  /** Removes the first request from the queue of this connection; resumes the connection behind the last. */
  next(connection: Connection): Exchange | undefined {
    const next = connection.waiting.shift();
    if (next !== undefined) this.#size--;
    if (connection.waiting.length === 0) this.#resume(connection);
    return next;
  }

  /** Empties the queue of a connection that answers nothing more. */
  drop(connection: Connection): void {
    this.#size -= connection.waiting.length;
    connection.waiting.length = 0;
    this.#paused.delete(connection);
  }

  /** Resumes a connection although requests wait on it, until another one comes. */
  readOn(connection: Connection): void {
    if (this.#paused.has(connection)) this.#resume(connection);
  }

  #pause(connection: Connection): void {
    const { socket } = connection;
    this.#paused.add(connection);
    socket.pause();
    if (this.#listened.has(connection)) return;
    this.#listened.add(connection);
    // Node resumes the socket after every reply.
    socket.on('resume', () => {
      if (this.#paused.has(connection)) socket.pause();
    });
    socket.once('close', () => this.drop(connection));
  }

  #resume(connection: Connection): void {
    this.#paused.delete(connection);
    connection.socket.resume();
  }
}

/** All listeners of a process share it, for a connection may lead to several of them. */
const backlog = new Backlog();
