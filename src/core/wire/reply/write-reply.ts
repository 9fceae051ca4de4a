/**
 * Decides how a reply is sent, and whether its connection ends with it.
 *
 * A time for the client to read is set only for a reply that does not leave at once. `server.timeout` would be renewed
 * by each read and write: 1 to 3 % of a GET, 4 to 7 % of a PUT.
 */
import { Readable } from 'node:stream';
import { COMMON_HEADERS, statusText } from '../../message/headers/reply-headers.ts';
import { discardReply } from '../../message/made-reply.ts';
import { headerOf } from '../../message/replies.ts';
import type { Reply } from '../../message/reply.ts';
import { lengthOf } from '../../message/reply-fault.ts';
import { useLingeringClose } from '../connection/closing.ts';
import type { Exchange } from '../connection/exchange.ts';
import { writeJudgedHead } from '../connection/node-internals.ts';
import { writeStream } from './write-body.ts';

/** An unread body of this many bytes is drained, and the connection kept. */
const MAX_DRAINED_BYTES = 64 * 1024;
/** About the length of the head of a reply, in bytes. */
const HEAD_BYTES = 512;
/** What every head ends with, up to the id of its request. */
const COMMON_LINES = `${COMMON_HEADERS.map((text, at) => text + (at % 2 === 0 ? ': ' : '\r\n')).join('')}X-Request-Id: `;

/** Sends `reply` and calls `done` once its last byte is written. Throws for a head that cannot be written. */
export function writeReply(exchange: Exchange, reply: Reply, done: (exchange: Exchange) => void): void {
  const { response, connection } = exchange;
  const isHead = exchange.method === 'HEAD';
  if (isHead || response.destroyed) discardReply(reply);
  if (response.destroyed) return done(exchange);
  const body = isHead ? undefined : reply.body;
  writeHead(exchange, reply);
  if (!(body instanceof Readable)) {
    response.end(body);
    if (connection.socket.writableLength > 0) limitWriting(exchange);
    exchange.sentBytes = lengthOf(body) ?? 0;
    connection.recordWrite(response, HEAD_BYTES + exchange.sentBytes);
    return done(exchange);
  }
  response.once('close', () => done(exchange));
  limitWriting(exchange);
  writeStream(exchange, body, headerOf(reply, 'Content-Length'));
}

function writeHead(exchange: Exchange, reply: Reply): void {
  const { request, response, connection, settings } = exchange;
  const isUnread = exchange.bodyLength !== 0 && !request.complete;
  const closes = closesConnection(exchange, isUnread);
  if (closes) connection.output = 'closing';
  if (isUnread) request.resume();
  // A client that goes on sending can read the reply (D40).
  if (closes || isUnread) useLingeringClose(connection.socket, settings.limits);
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
  const { connection, bodyLength, settings } = exchange;
  return (
    connection.output !== 'keep-alive' ||
    exchange.bodyFailure !== undefined ||
    (settings.stopping.isDraining && connection.waiting.length === 0) ||
    // A client that waits for `100 Continue` may or may not send the body it has announced.
    (isUnread && (exchange.expectsContinue || bodyLength === 'chunked' || bodyLength > MAX_DRAINED_BYTES))
  );
}

/** Sets the time for the client to read on, until it has read everything. */
function limitWriting({ response, connection, settings }: Exchange): void {
  const { socket } = connection;
  const { writeTimeout } = settings.limits;
  socket.setTimeout(writeTimeout);
  response.once('close', () => {
    // Another time is that of a framework, which has set it for the idle connection.
    if (connection.idle && (socket.timeout ?? writeTimeout) === writeTimeout) socket.setTimeout(0);
  });
}
