/** Writes the head and the body of a reply, and decides whether the reply closes the connection. */
import { Readable } from 'node:stream';
import { COMMON_HEADERS, isSameName, statusText, withoutLines } from '../../http/headers/header-lines.ts';
import { discardReply } from '../../http/ready-reply.ts';
import type { Reply } from '../../http/reply.ts';
import { bytesOfText, MAX_UNSHARED } from '../../http/representation.ts';
import { useLingeringClose } from '../connection/closing.ts';
import type { Exchange } from '../connection/connection.ts';
import { holdUnsent } from '../connection/unsent.ts';

/** An unread body of at most this number of bytes is discarded, and the connection stays open. */
const MAX_DRAINED_BYTES = 64 * 1024;

/** The lengths of the names, and of the values, of the headers that every reply has. */
const COMMON_LENGTHS: ReadonlySet<number> = new Set(COMMON_HEADERS.map((text) => text.length));

/** Sends a reply whose body is in memory. Throws if the head is invalid. */
export function writeReply(exchange: Exchange, reply: Reply): void {
  const { request, response } = exchange;
  const isHead = request.method === 'HEAD';
  if (isHead || response.destroyed) discardReply(reply);
  if (response.destroyed) return;
  const body = isHead || reply.body instanceof Readable ? undefined : reply.body;
  writeHead(exchange, reply);
  // Node would copy a text for each client that reads slowly.
  response.end(typeof body === 'string' && body.length > MAX_UNSHARED ? bytesOfText(body) : body);
  if (response.writableLength > 0) holdUnsent(exchange);
  exchange.sentBody = body;
}

/** Writes the status and the headers of a reply. After this no other reply can be sent. */
export function writeHead(exchange: Exchange, reply: Reply): void {
  const { request, response, connection, settings } = exchange;
  const isUnread = exchange.bodyLength !== 0 && !request.complete;
  const closes = closesConnection(exchange, isUnread);
  if (closes) connection.output = 'closing';
  if (isUnread) request.resume();
  // With a lingering close, a client that is still sending can read the reply (D40).
  if (closes || isUnread) useLingeringClose(request.socket, settings.limits);
  const { status } = reply;
  const lines = reply.headers as readonly string[];
  let common = COMMON_HEADERS;
  // A reply may replace these headers. Most replies do not, and a call for each name would take time.
  for (let at = 0; at < lines.length; at += 2)
    if (COMMON_LENGTHS.has(lines[at]!.length)) common = withoutLines(common, (name) => isSameName(name, lines[at]!));
  const sent = [...lines, ...common, 'X-Request-Id', exchange.requestId];
  if (closes) sent.push('Connection', 'close');
  // Node would close the connection of a client that waits for `100 Continue`, even if the request has no body.
  else if (exchange.expectsContinue && !/\bclose\b/i.test(request.headers.connection ?? ''))
    sent.push('Connection', 'keep-alive');
  response.writeHead(status, statusText(status) ?? 'unknown', sent);
  exchange.enter('writing');
}

/** True if the connection must close after the reply. A short unread body is discarded instead. */
function closesConnection(exchange: Exchange, isUnread: boolean): boolean {
  const { connection, bodyFailure, bodyLength, expectsContinue, settings } = exchange;
  if (connection.output !== 'keep-alive' || bodyFailure !== undefined) return true;
  if (settings.stopping.isDraining && connection.waiting.length === 0) return true;
  // A client that waits for `100 Continue` may or may not send its body, so the next bytes are ambiguous.
  return isUnread && (expectsContinue || bodyLength === 'chunked' || bodyLength > MAX_DRAINED_BYTES);
}
