/** Writes a problem where no response object exists, behind earlier replies, and closes the connection. */
import type { ServerResponse } from 'node:http';
import { COMMON_HEADERS, requestId, statusText } from '../../message/headers/reply-headers.ts';
import { type HttpProblem, problemReply } from '../../message/problem.ts';
import { closeLingering, type LingeringLimits } from '../connection/closing.ts';
import type { Connection } from '../connection/exchange.ts';

/** What the settings of a service say about a refusal. */
export interface RefusalSettings {
  readonly limits: LingeringLimits;
  readonly newRequestId: (() => string) | undefined;
}

/** Sends `problem` behind the last reply, unless that one closes the connection. `path` is the requested path. */
export function refuseInTurn(
  connection: Connection,
  { limits, newRequestId }: RefusalSettings,
  problem: HttpProblem,
  path = '/',
): void {
  const { socket, received } = connection;
  const text = refusalText(problem, newRequestId, path);
  if (received === undefined) return closeLingering(socket, limits, text);
  afterResponse(received.response, () => {
    if (socket.writable && connection.output !== 'closing') closeLingering(socket, limits, text);
  });
}

/** Calls `then` once the response is flushed, before Node closes the connection of a half-open client. */
export function afterResponse(response: ServerResponse, then: () => void): void {
  if (response.writableFinished) then();
  else response.prependOnceListener('finish', then);
}

/** A whole response with `Connection: close`. */
export function refusalText(
  { status, message, extra }: HttpProblem,
  newRequestId: (() => string) | undefined,
  path = '/',
): string {
  const id = requestId(undefined, newRequestId);
  const { headers, body } = problemReply({ path, requestId: id, basePath: '' }, status, message, extra);
  const date = new Date().toUTCString();
  const lines = [
    ...(headers as readonly string[]),
    ...COMMON_HEADERS,
    'X-Request-Id',
    id,
    'Date',
    date,
    'Connection',
    'close',
  ];
  let head = `HTTP/1.1 ${status} ${statusText(status)}\r\n`;
  for (let at = 0; at < lines.length; at += 2) head += `${lines[at]}: ${lines[at + 1]}\r\n`;
  return `${head}\r\n${body as string}`;
}
