/**
 * Answers parser errors and CONNECT, for which Node creates no response object. Sends the problem after the replies to
 * the earlier requests, then closes the connection.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { COMMON_HEADERS, statusText } from '../http/headers/header-lines.ts';
import { HttpProblem, problemReply } from '../http/problem.ts';
import { requestId } from '../http/request-id.ts';
import { closeLingering, useLingeringClose } from './connection/closing.ts';
import { type Connection, connectionOf } from './connection/connection.ts';
import type { ServerSettings } from './served.ts';
import { clientOf } from './trusted-proxy.ts';

/** An error of the socket, or of Node's parser. The parser gives a `reason`. */
interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

/** The problems by the code of the error, or by the reason where one code has several. All others are 400. */
const PROBLEMS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_INVALID_METHOD: [501, 'The method is not supported, or the request is not HTTP/1.1'],
  HPE_HEADER_OVERFLOW: [431, 'The request line and the header lines together are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long'],
  // The code HPE_INVALID_VERSION also means a bare line feed after a known version.
  'Invalid HTTP version': [505, 'The version of HTTP is not supported; use HTTP/1.1'],
  HPE_PAUSED_H2_UPGRADE: [505, 'HTTP/2 is not supported; use HTTP/1.1'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive within the time limit'],
};

/** Handles the event `clientError` of an `http.Server`. */
export function onClientError(error: ParserError, socket: Socket, settings: ServerSettings): void {
  const connection = connectionOf(socket);
  // After an error, the parser reports another error for every further packet.
  if (connection.input === 'ignored') return;
  const { code = '', reason = '' } = error;
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // Only the pauses of a streamed body are limited. Node reports this timeout once for each request.
  if (isLate && connection.reading?.isStream) return;
  connection.input = 'ignored';
  const isClosing = connection.output === 'closing';
  const isOfSocket = PROBLEMS[code] === undefined && !code.startsWith('HPE_');
  const isSilent = isLate && socket.bytesRead === 0;
  if (isOfSocket || isSilent || (!socket.writable && !isClosing)) return void socket.destroy();
  const { received, reading } = connection;
  const answer = PROBLEMS[code] ?? PROBLEMS[reason] ?? ([400, 'The request is not valid HTTP/1.1'] as const);
  const problem = new HttpProblem(...answer);
  if (received !== undefined && !received.request.complete) {
    // The error is in the body of this request. The problem is its reply, unless a reply has started.
    received.bodyFailure = problem;
    if (reading?.exchange === received) reading.fail(problem);
    else if (received.replyStarted) afterResponse(received.response, () => socket.destroySoon());
    return;
  }
  if (isClosing) return;
  // The client continues to send after a request with `Connection: close`.
  if (code === 'HPE_CLOSED_CONNECTION') return useLingeringClose(socket, settings.limits);
  refuseInTurn(connection, settings, problem, code);
}

/** Handles the event `connect` of an `http.Server`. Node has detached the socket, even if replies are not flushed. */
export function onConnect(socket: Duplex, settings: ServerSettings): void {
  const connection = connectionOf(socket as Socket);
  if (connection.input === 'ignored' || connection.output === 'closing') return;
  connection.input = 'ignored';
  socket.on('error', () => socket.destroy());
  socket.on('drain', () => connection.running?.response.emit('drain'));
  const problem = new HttpProblem(400, 'The service is not a proxy and does not support CONNECT');
  refuseInTurn(connection, settings, problem, 'CONNECT');
}

/** Sends the problem after the reply to the last request, unless that reply closes the connection. */
function refuseInTurn(connection: Connection, settings: ServerSettings, problem: HttpProblem, reason: string): void {
  const { socket, received } = connection;
  const refuse = (): void => closeLingering(socket, settings.limits, refusalText(socket, settings, problem, reason));
  if (received === undefined) return refuse();
  afterResponse(received.response, () => {
    if (socket.writable && connection.output !== 'closing') refuse();
  });
}

/** Calls `then` when the response is flushed, before Node can close the connection of a half-open client. */
function afterResponse(response: ServerResponse, then: () => void): void {
  if (response.writableFinished) then();
  else response.prependOnceListener('finish', then);
}

/** Reports the refusal to the hook `refused`. Returns the whole response as text, with `Connection: close`. */
export function refusalText(
  socket: Socket,
  { newRequestId, refused }: ServerSettings,
  { status, message, extra }: HttpProblem,
  reason: string,
): string {
  const id = requestId(undefined, newRequestId);
  const remoteAddress = clientOf(socket);
  refused?.({ status, reason, method: '-', path: '-', requestId: id, remoteAddress, isSeen: false });
  const { headers, body } = problemReply({ requestId: id }, status, message, extra);
  const date = new Date().toUTCString();
  const connectionLines = ['X-Request-Id', id, 'Date', date, 'Connection', 'close'];
  const lines = [...(headers as readonly string[]), ...COMMON_HEADERS, ...connectionLines];
  let head = `HTTP/1.1 ${status} ${statusText(status)}\r\n`;
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return `${head}\r\n${body as string}`;
}
