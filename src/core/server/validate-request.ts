/**
 * Refuses requests that Node's parser accepts but RFC 9112 forbids. To save time, reads only the raw header lines.
 */
import { MAX_HEADER_LINES, MAX_SEGMENT } from '../http/limits.ts';
import { authorityOf, isHost, pathOf, splitPath, withoutBasePath } from '../http/path.ts';
import { ClientGone, HttpProblem } from '../http/problem.ts';
import { requestId } from '../http/request-id.ts';
import { contextOf, type RequestExchange } from './request-context.ts';

/** Sets the id, the body length and the context. Throws an `HttpProblem`: 400, 404, 414, 421, 431, 501 or 505. */
export function validateRequest(exchange: RequestExchange): void {
  const { request, connection, settings } = exchange;
  const { limits } = settings;
  const { rawHeaders: lines, httpVersionMajor: major, httpVersionMinor: minor } = request;
  const target = request.url!;
  let host: string | undefined;
  let hosts = 0;
  let sentId: string | undefined;
  let coding: string | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const value = lines[at + 1]!;
    switch (lines[at]!.toLowerCase()) {
      case 'host':
        hosts++;
        host = value;
        break;
      case 'upgrade':
        // Node drops bytes that follow an upgrade request in the same packet, and does not report that the client has
        // left in the middle of the body.
        connection.closeAfterReply();
        connection.socket.once('end', () => connection.reading?.fail(new ClientGone()));
        break;
      case 'x-request-id':
        // Two lines give an invalid id, so the request gets a new id.
        sentId = sentId === undefined ? value : `${sentId}, ${value}`;
        break;
      case 'content-length':
        exchange.bodyLength = Number(value);
        break;
      case 'transfer-encoding':
        // Several lines form one list (RFC 9110 §5.3).
        coding = coding === undefined ? value : `${coding}, ${value}`;
    }
  }
  exchange.requestId = requestId(sentId, settings.newRequestId);
  if (coding !== undefined) exchange.bodyLength = 'chunked';
  if (major !== 1 || minor > 1)
    throw new HttpProblem(505, `HTTP/${request.httpVersion} is not supported; use HTTP/1.1`);
  if (lines.length > 2 * MAX_HEADER_LINES)
    throw new HttpProblem(431, `The request has more than ${MAX_HEADER_LINES} header lines`);
  if (target.length > limits.maxPath && target.replace(/\?.*$/s, '').length > limits.maxPath)
    throw new HttpProblem(414, `The path is longer than ${limits.maxPath} bytes`);
  if (hosts > 1) throw new HttpProblem(400, 'The request has more than one Host header');
  if (host === undefined && minor === 1) throw new HttpProblem(400, 'The request has no Host header');
  // Most requests of a connection have the same host.
  if (host !== connection.host && host !== undefined) {
    // With an absolute target, the Host header is not used, and may be empty.
    const isValid = host === '' ? authorityOf(target) !== undefined : isHost(host);
    if (!isValid) throw new HttpProblem(400, 'The Host header is not valid');
    if (host !== '') connection.host = host;
  }
  if (coding !== undefined) assertChunked(coding, exchange);
  const path = pathOf(target, request.method!);
  const sent = { path, segments: splitPath(path) };
  exchange.context = contextOf(exchange, settings.basePath === '' ? sent : withoutBasePath(sent, settings.basePath));
  if (path.length > MAX_SEGMENT && exchange.context.segments.some((segment) => segment.length > MAX_SEGMENT))
    throw new HttpProblem(414, `A segment of the path is longer than ${MAX_SEGMENT} characters`);
  if (settings.answersHost?.(request) === false)
    throw new HttpProblem(421, 'The service does not accept the host of this request');
}

/** Throws an `HttpProblem` for a transfer coding other than `chunked`, and for any in HTTP/1.0 (RFC 9112 §6.1). */
function assertChunked(coding: string, { request, connection }: RequestExchange): void {
  const isOld = request.httpVersionMinor === 0;
  if (!isOld && coding.trim().toLowerCase() === 'chunked') return;
  // The end of the body is unknown, so the next bytes cannot be read as a request.
  connection.closeAfterReply();
  if (isOld) throw new HttpProblem(400, 'HTTP/1.0 has no Transfer-Encoding');
  throw new HttpProblem(501, 'The service supports no transfer coding except "chunked"');
}
