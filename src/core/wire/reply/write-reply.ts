/**
 * Decides how a reply is sent, and whether its connection ends with it.
 *
 * A time for the client to read is set only for a reply that does not leave at once. `server.timeout` would be renewed
 * by each read and write: 1 to 3 % of a GET, 4 to 7 % of a PUT.
 */
import { Readable } from 'node:stream';
import { COMMON_HEADERS, statusText } from '../../message/headers/header-lines.ts';
import { discardReply } from '../../message/made-reply.ts';
import type { Reply } from '../../message/reply.ts';
import { lengthOf } from '../../message/reply-fault.ts';
import { useLingeringClose } from '../connection/closing.ts';
import { connectionOf } from '../connection/connection.ts';
import type { Exchange } from '../connection/exchange.ts';
import { writeJudgedHead } from '../connection/node-internals.ts';

/** An unread body of this many bytes is drained, and the connection kept. */
const MAX_DRAINED_BYTES = 64 * 1024;
/** About the length of the head of a reply, in bytes. */
const HEAD_BYTES = 512;
/** What every head ends with, up to the id of its request. */
const COMMON_LINES = `${COMMON_HEADERS.map((text, at) => text + (at % 2 === 0 ? ': ' : '\r\n')).join('')}X-Request-Id: `;

/** Sends a reply whose body is in memory, and calls `done`. Throws for a head that cannot be written. */
export function writeReply(exchange: Exchange, reply: Reply, done: (exchange: Exchange) => void): void {
  const { method, request, response } = exchange;
  const isHead = method === 'HEAD';
  if (isHead || response.destroyed) discardReply(reply);
  if (response.destroyed) return done(exchange);
  const body = isHead || reply.body instanceof Readable ? undefined : reply.body;
  writeHead(exchange, reply);
  response.end(body);
  if (request.socket.writableLength > 0) limitWriting(exchange);
  exchange.sentBytes = lengthOf(body) ?? 0;
  connectionOf(request.socket).recordWrite(response, HEAD_BYTES + exchange.sentBytes);
  done(exchange);
}

/** Writes status and headers of a reply. From now on no other reply can be sent. */
export function writeHead(exchange: Exchange, reply: Reply): void {
  const { request, response, settings } = exchange;
  const connection = connectionOf(request.socket);
  const isUnread = exchange.bodyLength !== 0 && !request.complete;
  const closes = closesConnection(exchange, isUnread);
  if (closes) connection.output = 'closing';
  if (isUnread) request.resume();
  // A client that goes on sending can read the reply (D40).
  if (closes || isUnread) useLingeringClose(request.socket, settings.limits);
  const { status } = reply;
  const lines = reply.headers as readonly string[];
  const phrase = statusText(status) ?? 'unknown';
  const isKept = settings.keepAlive > 0 && !closes && response.shouldKeepAlive;
  const kept = isKept ? ['Keep-Alive', `timeout=${Math.floor(settings.keepAlive / 1000)}`] : [];
  const further = `${COMMON_LINES}${exchange.requestId}\r\n${isKept ? `${kept.join(': ')}\r\n` : ''}`;
  if (!writeJudgedHead(response, { status, phrase, lines, further, closes })) {
    const own = ['X-Request-Id', exchange.requestId, ...kept, ...(closes ? ['Connection', 'close'] : [])];
    response.writeHead(status, phrase, [...lines, ...COMMON_HEADERS, ...own]);
  }
  exchange.replyStarted = true;
}

/** Does the connection end with the reply? It is kept where the unread rest of the body is short, and discarded. */
function closesConnection(exchange: Exchange, isUnread: boolean): boolean {
  const { request, bodyFailure, bodyLength, expectsContinue, settings } = exchange;
  const connection = connectionOf(request.socket);
  if (connection.output !== 'keep-alive' || bodyFailure !== undefined) return true;
  if (settings.stopping.isDraining && connection.waiting.length === 0) return true;
  // A client that waits for `100 Continue` may or may not send the body it has announced.
  return isUnread && (expectsContinue || bodyLength === 'chunked' || bodyLength > MAX_DRAINED_BYTES);
}

/** Sets the time for the client to read on, until it has read everything. */
export function limitWriting({ request: { socket }, response, settings }: Exchange): void {
  const { writeTimeout } = settings.limits;
  socket.setTimeout(writeTimeout);
  response.once('close', () => {
    // Another time is that of a framework, which has set it for the idle connection.
    if (connectionOf(socket).idle && (socket.timeout ?? writeTimeout) === writeTimeout) socket.setTimeout(0);
  });
}
