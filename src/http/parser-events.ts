/**
 * What is said to a request that Node's parser refused: a complete problem and the end of the connection.
 *
 * There is no response object for such a request – it never got that far – so the answer is written to the socket, after
 * everything that earlier requests on the connection were still owed.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Connection, connectionOf } from './connection/connection.ts';
import { closeLingering, type LingeringLimits, useLingeringClose } from './connection/lingering-close.ts';
import { requestId } from './headers/request-id.ts';
import { COMMON_HEADERS, PROBLEM_HEADERS } from './headers/security-headers.ts';
import { HttpProblem, problemText } from './message/problem.ts';
import { statusText } from './message/status-text.ts';
import { type RefusedPacket, refusedLine, unknownMethodLine } from './request-line.ts';

/** An error of Node's parser, or of the socket under it. */
export type WireError = NodeJS.ErrnoException & RefusedPacket;

const REFUSALS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and the header lines together are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long'],
  HPE_INVALID_VERSION: [505, 'The request is not in a version of HTTP that is spoken here; use HTTP/1.1'],
  HPE_PAUSED_H2_UPGRADE: [505, 'HTTP/2 is not spoken here; use HTTP/1.1'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in whole in the time that it is given'],
};

/** The problem that a parser error is, or undefined for an error of the connection itself: then nobody is left to answer. */
function problemOfWireError(error: WireError): HttpProblem | undefined {
  const unknown = error.code === 'HPE_INVALID_METHOD' ? unknownMethodLine(error) : undefined;
  if (unknown !== undefined) return new HttpProblem(501, `The method ${unknown.method} is not known here`);
  const refusal =
    error.code === 'HPE_INVALID_VERSION' && !namesOtherVersion(error) ? undefined : REFUSALS[error.code ?? ''];
  const [status, detail] = refusal ?? [400, 'The request is not valid HTTP/1.1'];
  return status !== 400 || error.code?.startsWith('HPE_') ? new HttpProblem(status, detail) : undefined;
}

/** The parser says the same of `HTTP/1.1` before a bare line feed, and of `HTTP/11`. */
function namesOtherVersion({ rawPacket, bytesParsed = 0 }: WireError): boolean {
  const parsed = rawPacket?.subarray(Math.max(0, bytesParsed - 8), bytesParsed).toString('latin1') ?? '';
  return /^HTTP\/\d\.\d$/.test(parsed) && !/1\.[01]$/.test(parsed);
}

/** Listens for `clientError` of an `http.Server`. */
export function onClientError(error: WireError, socket: Socket, limits: LingeringLimits): void {
  const connection = connectionOf(socket);
  // A parser that gave up complains about every byte that follows.
  if (connection.deaf) return;
  connection.deaf = true;
  const problem = problemOfWireError(error);
  const silent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  // A side of ours that has been closed is waiting for the client to read what it was sent.
  if (problem === undefined || silent || (!socket.writable && !connection.over)) {
    socket.destroy();
    return;
  }
  const { received } = connection;
  if (received !== undefined && !received.request.complete) {
    received.broken = problem;
    // The body is broken. Its request is answered once: by its own response if it still waits for the body or its turn, else it
    // was already.
    if (connection.reading?.exchange === received) connection.reading.fail(problem);
    else if (received.answered) afterResponse(received.response, () => socket.destroySoon());
    return;
  }
  if (error.code === 'HPE_CLOSED_CONNECTION' || connection.over) return useLingeringClose(socket, limits);
  const line = error.code === 'HPE_INVALID_METHOD' ? unknownMethodLine(error) : refusedLine(error);
  refuseInTurn(connection, limits, refusalText(problem, line?.path));
}

/** Listens for `connect` of an `http.Server`: by then Node has let go of the socket, also of the replies that are still on their way. */
export function onConnect(socket: Duplex, limits: LingeringLimits): void {
  const connection = connectionOf(socket as Socket);
  if (connection.over) return useLingeringClose(connection.socket, limits);
  if (connection.deaf) return;
  connection.deaf = true;
  socket.on('error', () => socket.destroy());
  socket.on('drain', () => connection.running?.response.emit('drain'));
  refuseInTurn(connection, limits, refusalText(new HttpProblem(400, 'This is no proxy: CONNECT is not answered')));
}

/** Behind the replies that are still owed to the requests before it; not at all if one of those ends the connection. */
function refuseInTurn(connection: Connection, limits: LingeringLimits, text: string): void {
  const { socket, received } = connection;
  if (received === undefined) closeLingering(socket, limits, text);
  else
    afterResponse(received.response, () => {
      if (socket.writable && !connection.over) closeLingering(socket, limits, text);
    });
}

/** Before Node's own listener, which ends the connection of a client that has closed its side. */
function afterResponse(response: ServerResponse, then: () => void): void {
  if (response.writableFinished) then();
  else response.prependOnceListener('finish', then);
}

/** A whole response that closes the connection. */
export function refusalText(problem: HttpProblem, instance = '/'): string {
  const id = requestId(undefined);
  const body = problemText(problem.status, problem.message, instance, id);
  const lines = [
    'Content-Type',
    'application/problem+json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...PROBLEM_HEADERS,
    ...COMMON_HEADERS,
    'X-Request-Id',
    id,
    ...Object.entries(problem.extra.headers ?? {}).flat(),
    'Date',
    new Date().toUTCString(),
    'Connection',
    'close',
  ];
  let head = `HTTP/1.1 ${problem.status} ${statusText(problem.status)}\r\n`;
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return `${head}\r\n${body}`;
}
