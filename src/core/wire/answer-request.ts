/** Answers one request: validates it, calls the handler, and sends the reply, or a problem in its place. */
import { Readable } from 'node:stream';
import type { Handler } from '../message/context.ts';
import { withoutBasePath } from '../message/path.ts';
import { ClientGone, HttpProblem, replyToError, report } from '../message/problem.ts';
import { readyReply } from '../message/ready-reply.ts';
import { discardReply, hasContentLength, type Reply } from '../message/reply.ts';
import { InvalidReply } from '../message/reply-fault.ts';
import type { WatchActions } from './connection/closing.ts';
import type { Exchange, ExchangeSettings } from './connection/exchange.ts';
import { markConsumed } from './connection/node-internals.ts';
import type { RefusalHandler } from './listener-options.ts';
import { fallsThrough, mountPathOf, unseen } from './mounted-listener.ts';
import { firstBytes, MAX_HEAD_DELAY } from './reply/write-body.ts';
import { writeReply } from './reply/write-reply.ts';
import { pathIn } from './request-line.ts';
import { validateRequest } from './validate-request.ts';

/** Sends one reply to each request. `done` is called for it once nothing more is written to its response. */
export function makeAnswerer(
  handler: Handler,
  refuse: RefusalHandler | undefined,
  settings: ExchangeSettings,
  done: (exchange: Exchange) => void,
): { answer(exchange: Exchange): void } & Pick<WatchActions, 'giveUp'> {
  const { log } = settings;

  function answer(exchange: Exchange): void {
    let reply: Reply | Promise<Reply>;
    try {
      reply = replyTo(exchange);
    } catch (error) {
      return fail(exchange, error);
    }
    if (!(reply instanceof Promise)) return send(exchange, reply);
    reply.then(
      (made) => {
        if (exchange.replyStarted) discardReply(made);
        else send(exchange, made);
      },
      (error: unknown) => {
        if (!exchange.replyStarted) fail(exchange, error);
        else if (!(error instanceof ClientGone)) report(error, exchange, log);
      },
    );
  }

  function replyTo(exchange: Exchange): Reply | Promise<Reply> {
    try {
      validateRequest(exchange);
      if (exchange.bodyLength === 0 && exchange.record.fallThrough === undefined) markConsumed(exchange.request);
      if (exchange.expectationFailure !== undefined) throw exchange.expectationFailure;
    } catch (problem) {
      if (exchange.path === '/') exchange.setUnvalidatedPath(pathAsSent(exchange.request.url!, settings.basePath));
      const { fallThrough } = exchange.record;
      if (fallThrough !== undefined && isOutside(exchange)) return unseen(fallThrough);
      if (refuse !== undefined && problem instanceof HttpProblem) return refuse(exchange, problem);
      throw problem;
    }
    return handler(exchange);
  }

  function send(exchange: Exchange, reply: Reply): void {
    const { reading } = exchange.connection;
    if (reading?.exchange === exchange) reading.abandon();
    if (exchange.bodyMemory > 0) settings.bodies.release(exchange);
    if (exchange.record.fallThrough !== undefined && fallsThrough(reply, exchange)) return passOn(exchange);
    try {
      const ready = readyReply(reply, exchange, nameHandler, undefined) as Reply;
      if (ready.body instanceof Readable && exchange.method !== 'HEAD') sendStream(exchange, ready, ready.body);
      else writeReply(exchange, ready, done);
    } catch (error) {
      fail(exchange, error);
    }
  }

  /** Leaves the request and its response as they are to what the framework has mounted behind. */
  function passOn(exchange: Exchange): void {
    // A handler that reads the body from now on would take it away.
    exchange.replyStarted = true;
    done(exchange);
    exchange.record.fallThrough!.next();
  }

  /** Sends a stream, which may fail before its first byte. */
  function sendStream(exchange: Exchange, reply: Reply, body: Readable): void {
    const failed = (error: unknown): void => {
      const maker = exchange.record.streams!.get(body);
      if (!exchange.replyStarted)
        fail(exchange, new InvalidReply(`${maker} streamed a body that failed`, { cause: error }));
    };
    if (body.destroyed || body.errored) return failed(body.errored ?? new Error('The stream was destroyed'));
    exchange.response.once('close', () => discardReply(reply));
    // A client of a stream with a length does not need the head early, and the time of the handler counts on.
    firstBytes(body, hasContentLength(reply.headers as string[]) ? undefined : MAX_HEAD_DELAY).then(() => {
      if (exchange.replyStarted) return discardReply(reply);
      try {
        writeReply(exchange, reply, done);
      } catch (error) {
        fail(exchange, error);
      }
    }, failed);
  }

  function fail(exchange: Exchange, error: unknown): void {
    const { response, connection } = exchange;
    if (error instanceof ClientGone || response.headersSent || response.destroyed) {
      if (!(error instanceof ClientGone)) report(error, exchange, log);
      connection.socket.destroy();
      return done(exchange);
    }
    // A head that could not be written has left its reason phrase.
    response.statusMessage = '';
    exchange.replyStarted = false;
    send(exchange, replyToError(error, exchange, log));
  }

  /** Answers 503 through the stage that waits for the reply, if there is one (D48). */
  function giveUp(exchange: Exchange, limit: number): void {
    const { giveUp: endWaiting } = exchange.record;
    report(tookTooLong(exchange, limit), exchange, log);
    exchange.record.giveUp = undefined;
    const detail = 'The service took too long to answer this request';
    const problem = new HttpProblem(503, detail, { headers: { 'Retry-After': '10' } });
    if (endWaiting === undefined) send(exchange, replyToError(problem, exchange, log));
    else endWaiting(problem);
  }

  return { answer, giveUp };
}

const nameHandler = (): string => 'the handler';

/** For the problem and the log of a request that failed validation before its path was read. */
const pathAsSent = (target: string, basePath: string): string => withoutBasePath(pathIn(target) ?? '/', basePath);

/** Does this request lead past the mount path and the base path, so that the framework decides whether it is valid? */
const isOutside = ({ request, settings }: Exchange): boolean =>
  mountPathOf(request) === '' && pathAsSent(request.url!, settings.basePath) === pathAsSent(request.url!, '');

/** For the log. Once there is a reply, its route is done and a stage is not. */
function tookTooLong({ method, path, record: { route, hasReply } }: Exchange, limit: number): Error {
  const who = route === undefined || hasReply ? 'a stage' : `the route "${method} ${route.template.text}"`;
  return new Error(
    `Cannot wait longer for ${method} ${path}: ${who} has not answered within ${limit / 1000} s; answer sooner, or ` +
      'allow more time as handlerTimeout',
  );
}
