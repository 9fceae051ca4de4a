/**
 * Answers parser errors and CONNECT, for which Node creates no response object. Sends the problem after the replies to
 * the earlier requests, then closes the connection.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { COMMON_HEADERS, statusText } from '../message/headers/header-lines.ts';
import { pathIn } from '../message/path.ts';
import { HttpProblem, problemReply } from '../message/problem.ts';
import { requestId } from '../message/request-id.ts';
import { closeLingering, useLingeringClose } from './connection/closing.ts';
import { type Connection, connectionOf } from './connection/connection.ts';
import type { ServerSettings } from './served.ts';
import { clientOf } from './trusted-proxy.ts';

/** An error of the socket, or of Node's parser, which failed after `bytesParsed` bytes of `rawPacket`. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

const PROBLEMS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and the header lines together are too long'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions of the body are too long'],
  HPE_INVALID_VERSION: [505, 'The version of HTTP is not supported; use HTTP/1.1'],
  HPE_PAUSED_H2_UPGRADE: [505, 'HTTP/2 is not supported; use HTTP/1.1'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive within the time limit'],
};

/** Handles the event `clientError` of an `http.Server`. */
export function onClientError(error: ParserError, socket: Socket, settings: ServerSettings): void {
  const connection = connectionOf(socket);
  // After an error, the parser reports another error for every further packet.
  if (connection.input === 'ignored') return;
  const { code = '' } = error;
  const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // A streamed body has a minimum rate instead of a time limit. Node reports this timeout once for each request.
  if (isLate && connection.reading?.isStream) return;
  connection.input = 'ignored';
  const isClosing = connection.output === 'closing';
  const isOfSocket = PROBLEMS[code] === undefined && !code.startsWith('HPE_');
  const isSilent = isLate && socket.bytesRead === 0;
  if (isOfSocket || isSilent || (!socket.writable && !isClosing)) return void socket.destroy();
  const { received, reading } = connection;
  const line = refusedLine(error);
  const problem = problemOf(error, line);
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
  refuseInTurn(connection, settings, problem, code, line);
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

function problemOf(error: ParserError, line: RequestLine | undefined): HttpProblem {
  const { code = '' } = error;
  if (code === 'HPE_INVALID_METHOD' && line !== undefined)
    return new HttpProblem(501, `The method ${line.method} is not supported`);
  const known = code === 'HPE_INVALID_VERSION' && !namesOtherVersion(error) ? undefined : PROBLEMS[code];
  return new HttpProblem(...(known ?? [400, 'The request is not valid HTTP/1.1']));
}

/**
 * True for `HTTP/3.0`. False for `HTTP/11`, and for `HTTP/1.1` before a bare line feed. The error is the same for all.
 */
function namesOtherVersion({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  const parsed = rawPacket?.subarray(Math.max(0, bytesParsed - 8), bytesParsed).toString('latin1') ?? '';
  return /^HTTP\/\d\.\d$/.test(parsed) && !/1\.[01]$/.test(parsed);
}

/** A request line as it was sent. */
type RequestLine = { readonly method: string; readonly target: string };

/** The number of bytes in which to search the request line, before and after the position of the parser error. */
const MAX_SEARCH = 16 * 1024;
/** A method, a space, and a path or an absolute URI. No header line matches, because a colon follows its name. */
const LINE = /^(?<method>[!#$%&'*+.^_`|~\w-]{1,64}) (?<target>\/[!-~]*|\*|[a-z][a-z\d+.-]{0,31}:\/\/[!-~]*)/i;

/**
 * Returns the last request line before the position of the parser error, because the packet may begin with other
 * requests. For an unknown method, returns its line only if the line ends with an HTTP/1 version (D53).
 */
function refusedLine({ code, rawPacket, bytesParsed = 0 }: ParserError): RequestLine | undefined {
  const from = Math.max(0, bytesParsed - MAX_SEARCH);
  const packet = rawPacket?.subarray(from, bytesParsed + MAX_SEARCH).toString('latin1') ?? '';
  const end = packet.indexOf('\n', bytesParsed - from);
  const lines = packet.slice(0, end < 0 ? undefined : end).split('\n');
  if (code !== 'HPE_INVALID_METHOD') return lines.map(lineIn).findLast((line) => line !== undefined);
  // The parser stops within the method, at the first character that does not fit a known method. The bytes before the
  // method may be the body of an earlier request.
  const start = /[A-Z_-]*$/.exec(packet.slice(0, bytesParsed))!.index;
  const line = packet.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
  const found = lineIn(line);
  // The end of the line may not have arrived yet, so a part of the version is sufficient.
  const version = found && line.slice(found.method.length + 1 + found.target.length);
  return [' HTTP/1.0', ' HTTP/1.1'].some((whole) => whole.startsWith(version ?? '-')) ? found : undefined;
}

const lineIn = (text: string): RequestLine | undefined => LINE.exec(text)?.groups as RequestLine | undefined;

/** Sends the problem after the reply to the last request, unless that reply closes the connection. */
function refuseInTurn(
  connection: Connection,
  settings: ServerSettings,
  problem: HttpProblem,
  reason: string,
  line?: RequestLine,
): void {
  const { socket, received } = connection;
  const refuse = (): void =>
    closeLingering(socket, settings.limits, refusalText(socket, settings, problem, reason, line));
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
  { method, target }: RequestLine = { method: '-', target: '' },
): string {
  const id = requestId(undefined, newRequestId);
  const sentPath = pathIn(target);
  const path = sentPath ?? '/';
  const remoteAddress = clientOf(socket);
  refused?.({ status, reason, method, path: sentPath ?? '-', requestId: id, remoteAddress, isSeen: false });
  const { headers, body } = problemReply({ path, requestId: id, basePath: '' }, status, message, extra);
  const date = new Date().toUTCString();
  const connectionLines = ['X-Request-Id', id, 'Date', date, 'Connection', 'close'];
  const lines = [...(headers as readonly string[]), ...COMMON_HEADERS, ...connectionLines];
  let head = `HTTP/1.1 ${status} ${statusText(status)}\r\n`;
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return `${head}\r\n${body as string}`;
}
