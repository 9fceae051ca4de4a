/**
 * Uses members of Node that its manual does not describe, because the bytes on the wire would be wrong without them and
 * no public way was found. Run the tests of `test/core/server` on every supported version of Node.
 */
import { Server as HttpServer, type IncomingMessage, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/**
 * True for an open Unix domain socket. False for every closed socket, because a closed network socket has no address
 * either. So the peer of a closed Unix socket is not trusted (D114).
 */
export function isUnixSocket(socket: Socket): boolean {
  const { _handle: handle } = socket as Socket & { readonly _handle?: object | null };
  return handle != null && !('getpeername' in handle);
}

/** Lets Node send the reply to a client that has ended its side (D41). The option `allowHalfOpen` of `net` is ignored. */
export function allowHalfOpen(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/**
 * Returns the raw socket of a TLS socket, or the socket itself without TLS. Otherwise each TLS connection would count
 * twice. Its ports cannot tell it, because a Unix socket has none.
 */
export const rawSocketOf = (socket: Socket): Socket => (socket as { readonly _parent?: Socket })._parent ?? socket;

/**
 * Makes Node's HTTP server call `close` after the last reply, for the lingering close (D40). Node calls it as
 * `destroySoon`, which would reset a connection whose client is still sending.
 */
export function replaceClose(socket: Socket, close: () => void): void {
  socket.destroySoon = close;
}

/** True if Node has removed its parser to pass the socket to a listener for upgrades, such as a WebSocket server. */
export const isHandedOver = (socket: Socket): boolean => (socket as { readonly parser?: unknown }).parser === null;

/**
 * Removes Node's parser, which is the `data` listener, and passes further bytes to `read`, for the lingering close
 * (D40). Node would parse them as requests.
 */
export function detachParser(socket: Socket, read: (chunk: Uint8Array) => void): void {
  socket.removeAllListeners('data').on('data', read);
}

/**
 * Stops listening, and calls `closed` when the last connection is closed. The method `close` of an HTTP server would
 * destroy idle connections and unflushed replies, so it is called last. Bun's server does not extend the server of
 * `node:net`, so it is closed directly.
 */
export function closeWithoutCutting(server: Server, closed: () => void): void {
  if (!(server instanceof NetServer)) return void (server as Server).close(closed);
  NetServer.prototype.close.call(server, () => {
    HttpServer.prototype.close.call(server, () => {});
    closed();
  });
}

/** True until Node has sent the responses to all requests of this connection. Then it can have another response. */
export const hasResponse = (socket: Socket): boolean =>
  (socket as Socket & { readonly _httpMessage?: object | null })._httpMessage != null;

/**
 * Makes Node pass only the requests for which `takes` is true to the listener for upgrades. It handles the others as
 * requests without `Upgrade`. Older versions of Node lack the option for it, so the parser of each connection is asked.
 */
export function filterUpgrades(server: Server, takes: (request: IncomingMessage) => boolean): void {
  if ('shouldUpgradeCallback' in server) return void Object.assign(server, { shouldUpgradeCallback: takes });
  const filter = ({ parser }: { readonly parser?: Parser | null }): void => {
    if (parser == null) return;
    const { onIncoming } = parser;
    parser.onIncoming = (request, keepAlive) => {
      if (request.upgrade && request.method !== 'CONNECT') request.upgrade = takes(request);
      return onIncoming(request, keepAlive);
    };
  };
  (server as Server).on('connection', filter).on('secureConnection', filter);
}

interface Parser {
  onIncoming(request: IncomingMessage & { upgrade: boolean }, keepAlive: boolean): number;
}
