/** Refuses what Node's parser accepts and RFC 9112 does not, in one pass over the raw lines: few need `headers`. */
import type { IncomingMessage } from 'node:http';
import { authorityOf, isHost, pathOf, sentPath, withoutBasePath } from '../message/path.ts';
import { HttpProblem } from '../message/problem.ts';
import { requestId } from '../message/request-id.ts';
import { connectionOf } from './connection/connection.ts';
import type { Exchange } from './connection/exchange.ts';
import { MAX_HEADER_LINES, MAX_SEGMENT } from './connection/limits.ts';

/** Completes the exchange from its head, the id first. Throws an `HttpProblem`: 400, 404, 414, 421, 431, 501 or 505. */
export function validateRequest(exchange: Exchange): void {
  const { request, settings } = exchange;
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
        // Node drops what follows an offered upgrade in the same packet.
        connectionOf(request.socket).closeAfterReply();
        break;
      case 'x-request-id':
        // Two lines make an id that is not valid, so the request gets a new one.
        sentId = sentId === undefined ? value : `${sentId}, ${value}`;
        break;
      case 'content-length':
        exchange.bodyLength = Number(value);
        break;
      case 'transfer-encoding':
        // Several lines are one list (RFC 9110 §5.3).
        coding = coding === undefined ? value : `${coding}, ${value}`;
    }
  }
  exchange.requestId = requestId(sentId, settings.newRequestId);
  if (coding !== undefined) exchange.bodyLength = 'chunked';
  if (major !== 1 || minor > 1)
    throw new HttpProblem(505, `HTTP/${request.httpVersion} is not spoken here; use HTTP/1.1`);
  if (lines.length > 2 * MAX_HEADER_LINES)
    throw new HttpProblem(431, `The request has more than ${MAX_HEADER_LINES} header lines`);
  if (target.length > limits.maxPath && target.replace(/\?.*$/s, '').length > limits.maxPath)
    throw new HttpProblem(414, `The path is longer than ${limits.maxPath} bytes`);
  if (hosts > 1) throw new HttpProblem(400, 'The request has more than one Host header');
  if (host === undefined && minor === 1) throw new HttpProblem(400, 'The request has no Host header');
  if (host !== undefined && !(host === '' ? authorityOf(target) !== undefined : isHost(host)))
    throw new HttpProblem(400, 'The Host header is not valid');
  if (coding !== undefined) assertChunked(coding, request);
  const path = pathOf(target, exchange.method);
  exchange.setPath(withoutBasePath(sentPath(path), settings.basePath));
  if (path.length > MAX_SEGMENT && exchange.segments.some((segment) => segment.length > MAX_SEGMENT))
    throw new HttpProblem(414, `A segment of the path is longer than ${MAX_SEGMENT} characters`);
  if (settings.answersHost?.(request) === false)
    throw new HttpProblem(421, 'The service does not answer under the host that this request names');
}

/** HTTP/1.0 has no such framing, and a body in an unknown coding cannot be read (RFC 9112 §6.1). */
function assertChunked(coding: string, request: IncomingMessage): void {
  const isOld = request.httpVersionMinor === 0;
  if (!isOld && coding.trim().toLowerCase() === 'chunked') return;
  // The end of the body is not certain, so what follows may be a part of it.
  connectionOf(request.socket).closeAfterReply();
  if (isOld) throw new HttpProblem(400, 'HTTP/1.0 has no Transfer-Encoding');
  throw new HttpProblem(501, 'The only transfer coding that is undone here is "chunked"');
}
