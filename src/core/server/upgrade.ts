/** Passes a connection to the handler of an upgrade (`core/http/upgrade.ts`). */
import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { report } from '../http/error-log.ts';
import { inRequest } from '../http/held-streams.ts';
import { ClientGone, HttpProblem } from '../http/problem.ts';
import type { Reply } from '../http/reply.ts';
import { upgradeHandlers, upgrades } from '../http/upgrade.ts';
import { connectionOf, type Exchange } from './connection/connection.ts';
import { hasResponse } from './connection/node-internals.ts';

/**
 * True if the connection of this request can be passed on. HTTP/1.0 has no upgrades (RFC 9110 §7.8). A body would be read
 * as bytes of the new protocol. A request behind others whose replies are not sent cannot have the connection.
 */
export function canUpgrade({ httpVersionMinor, headers, socket }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  return httpVersionMinor === 1 && !hasBody && connectionOf(socket).isFree && !hasResponse(socket);
}

/** Answers a request for which the server has emitted the event `upgrade`. */
export function onUpgrade(request: IncomingMessage, head: Buffer, answer: RequestListener): void {
  const { socket } = request;
  upgrades.set(request, { request, socket, head });
  // Node has removed its listener, and an error of the connection must not end the process.
  socket.on('error', () => {});
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  response.once('finish', () => {
    release(response, socket);
    socket.destroySoon();
  });
  answer(request, response);
}

/** Separates the response from the connection, as Node does at the end of a reply. `whenSent` waits for the event. */
function release(response: ServerResponse, socket: Socket): void {
  response.detachSocket(socket);
  response.emit('close');
}

/** Ends the exchange without writing its reply, and calls the handler of the upgrade. */
export function handOver(exchange: Exchange, reply: Reply, finish: (exchange: Exchange) => void): void {
  const { request, response, context, settings } = exchange;
  const { socket } = request;
  const handle = upgradeHandlers.get(reply)!;
  // The handler would wait for an event "close" that has been emitted.
  if (socket.destroyed) throw new ClientGone();
  // The handler would not see the event "abort" of its signal, so it would delay the end.
  if (context.stopping.aborted)
    throw new HttpProblem(503, 'The service is stopping', { headers: { 'Retry-After': '1' } });
  // Only `whenSent` reads this head. The handler writes the head that the client gets.
  response.writeHead(101);
  finish(exchange);
  // A handler that does not know half-open connections would leave this one open when the client has ended it.
  socket.allowHalfOpen = false;
  release(response, socket);
  // The function is async, so an error that the handler throws is a rejection, too.
  inRequest(context, async () => handle()).catch((error: unknown) => {
    report(error, context, settings.log);
    socket.destroy();
  });
}
