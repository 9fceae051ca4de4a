/**
 * Sends a reply: one `writeHead` with a flat list, one `end`.
 *
 * What is neither is a body larger than one write (`write-body.ts`). The time for a client to read is set only where a reply does
 * not leave at once: `server.timeout` would set it for every request, and every read and write would renew it (measured: 1 to 3 %
 * of a read, 4 to 7 % of a PUT).
 */
import { Readable } from 'node:stream';
import type { Exchange } from '../connection/exchange.ts';
import { useLingeringClose } from '../connection/lingering-close.ts';
import { COMMON_HEADERS } from '../headers/security-headers.ts';
import { trustReply } from '../message/check-reply.ts';
import type { Reply } from '../message/context.ts';
import { problemReply } from '../message/problem.ts';
import { flat, headerOf } from '../message/replies.ts';
import { statusText } from '../message/status-text.ts';
import { writeChunks, writeStream } from './write-body.ts';

/** A body this small that was not read is read past, and the connection kept. */
const SMALL = 64 * 1024;

/** About as long as the head of a reply, in bytes. */
const HEAD = 512;

/** Sends the reply; `done` is given the exchange once nothing more will be written to its response. */
export function writeReply(exchange: Exchange, reply: Reply, done: (exchange: Exchange) => void): void {
  const { response, request, connection, settings } = exchange;
  if (response.destroyed) {
    // The client has gone: nothing is sent, and what a stream holds open is let go.
    if (reply.body instanceof Readable) reply.body.destroy();
    return done(exchange);
  }
  const isHead = exchange.method === 'HEAD',
    body = isHead ? undefined : reply.body;
  if (isHead && reply.body instanceof Readable) reply.body.destroy();
  const chunks = Array.isArray(body) ? (body as readonly Uint8Array[]) : undefined;
  if (chunks !== undefined) {
    if (!settings.onTheWay.take(chunks))
      return writeReply(exchange, trustReply(tooManyOnTheWay(exchange), exchange), done);
    // At once: a head that cannot be written throws below, and the chunks must be counted out then too.
    response.once('close', () => settings.onTheWay.release(chunks));
  }
  exchange.answered = true;
  const own = exchange.lacksLength ? completed(reply) : flat(reply.headers);
  const unread = exchange.announced !== 0 && !request.complete;
  // Measured: 42 ns, where `concat` and `push` take 126.
  const lines = [...own, ...COMMON_HEADERS, 'X-Request-Id', exchange.requestId];
  if (isLast(exchange) || (unread && isLong(exchange))) {
    lines.push('Connection', 'close');
    connection.over = true;
  } else if (exchange.expectsContinue) {
    // Node says it then.
    connection.over = true;
  }
  // What Node's own Keep-Alive line says. A line of ours is checked like any other, which costs 3 % of a read.
  if (settings.keepAlive > 0) (response as { _keepAliveTimeout?: number })._keepAliveTimeout = settings.keepAlive;
  // Whatever is on its way behind it must not cost the client the end of this reply, or of one before.
  if (connection.over) useLingeringClose(connection.socket, settings.limits);
  // Node's table has it otherwise; to give every reply its phrase costs half a percent of a read.
  if (reply.status === 413 || reply.status === 422) response.statusMessage = statusText(reply.status)!;
  response.writeHead(reply.status, lines);
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body);
    // Nothing is kept of a reply that has left: what a connection holds from one request to the next survives every collection
    // of garbage in between. Measured with 64 connections: 13 MB after a GET load, 23 MB after a PUT load.
    if (response.writableFinished) connection.paid();
    else {
      if (connection.socket.writableLength > 0) limitWriting(exchange);
      connection.owes(response, HEAD + (body?.length ?? 0));
    }
    if (unread) {
      request.resume();
      useLingeringClose(connection.socket, settings.limits);
    }
    return done(exchange);
  }
  response.once('close', () => done(exchange));
  limitWriting(exchange);
  if (unread) request.resume();
  if (chunks !== undefined) writeChunks(response, chunks);
  else writeStream(exchange, body as Readable, lengthOf(reply));
}

/** Sets the time in which the client has to read on, until it has read everything: each read and write would renew it on and on. */
function limitWriting({ response, connection, settings }: Exchange): void {
  connection.socket.setTimeout(settings.limits.writeTimeout);
  response.once('close', () => {
    if (connection.idle) connection.socket.setTimeout(0);
  });
}

/** More of the body is to come than is read past in passing. Whoever waits for `100 Continue` has not begun to send. */
const isLong = ({ expectsContinue, broken, announced }: Exchange): boolean =>
  !expectsContinue && (broken !== undefined || announced < 0 || announced > SMALL);

/** Is this the last reply of its connection? */
function isLast({ connection, broken, settings: { closing, limits } }: Exchange): boolean {
  return (
    connection.last ||
    broken !== undefined ||
    (closing && connection.waiting.length === 0) ||
    (limits.maxRequestsPerConnection > 0 && connection.requests >= limits.maxRequestsPerConnection)
  );
}

const tooManyOnTheWay = (exchange: Exchange): Reply =>
  problemReply(exchange, 503, 'Too many large answers are still on their way to slow readers', {
    headers: { 'Retry-After': '5' },
  });

/** Header lines with the length of the body, which they do not say. */
function completed({ headers, body, status }: Reply): readonly string[] {
  const lines = flat(headers),
    unknown = typeof body === 'object' && !(body instanceof Uint8Array);
  if (status === 204 || status === 304 || unknown) return lines;
  return [...lines, 'Content-Length', String(body === undefined ? 0 : Buffer.byteLength(body as string | Uint8Array))];
}

/** What the head says of the length of the body, in bytes. */
function lengthOf(reply: Reply): number | undefined {
  const said = headerOf(reply, 'Content-Length');
  return said === undefined ? undefined : Number(said);
}
