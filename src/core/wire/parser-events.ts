/** Decides how an error of Node's parser, or a CONNECT, is answered, and how its connection ends. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { HttpProblem } from '../message/problem.ts';
import { useLingeringClose } from './connection/closing.ts';
import { connectionOf } from './connection/exchange.ts';
import { afterResponse, type RefusalSettings, refuseInTurn } from './reply/refusal.ts';
import { type ParserError, refusedLine, unknownMethodLine } from './request-line.ts';

const PROBLEMS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and the header lines together are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long'],
  HPE_INVALID_VERSION: [505, 'The request is not in a version of HTTP that is spoken here; use HTTP/1.1'],
  HPE_PAUSED_H2_UPGRADE: [505, 'HTTP/2 is not spoken here; use HTTP/1.1'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not come in whole in the time that it is given'],
};

/** The problem behind an error of the parser; undefined for an error of the socket, which cannot be answered. */
function problemOf(error: ParserError): HttpProblem | undefined {
  const { code = '' } = error;
  const unknown = code === 'HPE_INVALID_METHOD' ? unknownMethodLine(error) : undefined;
  if (unknown !== undefined) return new HttpProblem(501, `The method ${unknown.method} is not known here`);
  const known = code === 'HPE_INVALID_VERSION' && !namesOtherVersion(error) ? undefined : PROBLEMS[code];
  if (known !== undefined) return new HttpProblem(...known);
  return code.startsWith('HPE_') ? new HttpProblem(400, 'The request is not valid HTTP/1.1') : undefined;
}

/** Node reports the same error for HTTP/3.0, for `HTTP/11`, and for `HTTP/1.1` before a bare line feed. */
function namesOtherVersion({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const parsed = rawPacket?.subarray(Math.max(0, bytesParsed - 8), bytesParsed).toString('latin1') ?? '';
  return /^HTTP\/\d\.\d$/.test(parsed) && !/1\.[01]$/.test(parsed);
}

/** Listens for `clientError` of an `http.Server`. */
export function onClientError(error: ParserError, socket: Socket, settings: RefusalSettings): void {
  const connection = connectionOf(socket);
  // A parser that has failed reports each further packet.
  if (connection.input === 'ignored') return;
  // A stream takes as long as it takes, at its least rate. Node asks once for each request.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connection.reading?.isStream) return;
  connection.input = 'ignored';
  const problem = problemOf(error);
  const isClosing = connection.output === 'closing';
  const isSilent = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (problem === undefined || isSilent || (!socket.writable && !isClosing)) return void socket.destroy();
  const { received, reading } = connection;
  if (received !== undefined && !received.request.complete) {
    // The error is in a body: the response of its request answers it, or has answered already.
    received.bodyFailure = problem;
    if (reading?.exchange === received) reading.fail(problem);
    else if (received.replyStarted) afterResponse(received.response, () => socket.destroySoon());
    return;
  }
  if (isClosing) return;
  // The client goes on sending after a request with `Connection: close`.
  if (error.code === 'HPE_CLOSED_CONNECTION') return useLingeringClose(socket, settings.limits);
  const line = error.code === 'HPE_INVALID_METHOD' ? unknownMethodLine(error) : refusedLine(error);
  refuseInTurn(connection, settings, problem, line?.path);
}

/** Listens for `connect` of an `http.Server`. Node has detached the socket, also from unflushed replies. */
export function onConnect(socket: Duplex, settings: RefusalSettings): void {
  const connection = connectionOf(socket as Socket);
  if (connection.input === 'ignored' || connection.output === 'closing') return;
  connection.input = 'ignored';
  socket.on('error', () => socket.destroy());
  socket.on('drain', () => connection.running?.response.emit('drain'));
  refuseInTurn(connection, settings, new HttpProblem(400, 'This is no proxy: CONNECT is not answered'));
}
