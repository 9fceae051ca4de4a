/**
 * A listener on a guarded `http.Server`: the limits set, every event that could harm it answered, and a stop that loses nothing.
 *
 * What Node leaves to its user is gathered here: it drops surplus header lines in silence, cuts an idle connection after 5 s,
 * never cuts a slow body or a client that does not read, and has no bound on connections.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Connection, connectionOf } from './connection/connection.ts';
import { watchConnections } from './connection/connection-watch.ts';
import type { ExchangeSettings } from './connection/exchange.ts';
import { closeLingering } from './connection/lingering-close.ts';
import { closeGracefully } from './connection/shutdown.ts';
import { makeAcceptor } from './listener.ts';
import { exchangeSettings, type ListenerOptions } from './listener-options.ts';
import type { Handler } from './message/context.ts';
import { HttpProblem } from './message/problem.ts';
import { onClientError, onConnect, refusalText } from './parser-events.ts';

/** How often the times of heads and requests are looked at, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** How long a connection too many stays to read that it is one, in milliseconds. */
const REFUSED_FOR = 1000;

/** An HTTP server that is ready for a hostile network. */
export class HttpService {
  readonly server: Server;
  readonly connections: Set<Connection> = new Set();
  readonly #settings: ExchangeSettings;
  /** Connections that are closed while a handler still makes their reply. */
  readonly #left: Set<Connection> = new Set();

  constructor(handler: Handler, options: ListenerOptions = {}) {
    const settings = exchangeSettings(options),
      { limits } = settings;
    this.#settings = { ...settings, keepAlive: limits.idleTimeout };
    const acceptor = makeAcceptor(handler, options, this.#settings),
      { accept } = acceptor;
    const server = (this.server = createServer({
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.headTimeout,
      requestTimeout: limits.requestTimeout,
      // A timer set and cleared for each request: measured, some 3 % of a PUT. The watch below sees idle connections.
      keepAliveTimeout: 0,
      connectionsCheckingInterval: CHECK_INTERVAL,
      // The door says it with a problem.
      requireHostHeader: false,
    }));
    server.maxHeadersCount = 0;
    // A client that has sent its request and closed its side still gets the answer; Node's default drops it when the handler waits.
    Object.assign(server, { httpAllowHalfOpen: true });
    server.on('request', (request, response) => accept(request, response, false));
    server.on('checkContinue', (request, response) => accept(request, response, true));
    server.on('checkExpectation', (request, response) =>
      accept(request, response, new HttpProblem(417, 'The only expectation that can be met is "100-continue"')),
    );
    server.on('connection', (socket) => this.#track(socket));
    server.on('clientError', (error, socket) => onClientError(error, socket as Socket, limits));
    server.on('timeout', (socket) => this.#onTimeout(socket));
    server.on('connect', (_, socket) => onConnect(socket, limits));
    server.on('listening', () =>
      watchConnections(server, { open: this.connections, left: this.#left }, limits, acceptor),
    );
  }

  /** Is the service taking requests? */
  get ready(): boolean {
    return this.server.listening && !this.#settings.closing;
  }

  /** Memory that bodies of requests take at the moment, in bytes. */
  get bodyMemory(): number {
    return this.#settings.bodies.bytes;
  }

  /** Listens; port 0 takes a free one. Rejects with the error of the system, `EADDRINUSE` for example. */
  listen(port: number, host = '127.0.0.1'): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        // EMFILE while accepting: that connection waits in the kernel's queue, the service goes on.
        this.server.on('error', () => {});
        resolve(this.server.address() as AddressInfo);
      });
    });
  }

  /**
   * Stops listening at once, answers what has been accepted, and resolves when every connection is closed: after `grace` ms at
   * the latest.
   */
  close(grace = 8000): Promise<void> {
    this.#settings.closing = true;
    return closeGracefully(this.server, this.connections, grace);
  }

  #track(socket: Socket): void {
    const connection = connectionOf(socket);
    if (this.connections.size >= this.#settings.limits.maxConnections) {
      connection.deaf = true;
      const full = 'The service has as many connections as it can serve';
      const problem = new HttpProblem(503, full, { headers: { 'Retry-After': '1' } });
      closeLingering(socket, { ...this.#settings.limits, drainTimeout: REFUSED_FOR }, refusalText(problem));
      return;
    }
    this.connections.add(connection);
    socket.once('close', () => {
      this.connections.delete(connection);
      // Its handler goes on: the time that it has, and the memory of its body, are counted as for any other.
      if (connection.running !== undefined) this.#left.add(connection);
    });
  }

  /** The time that a reply on its way had is over: cut a client that does not read it, wait on for a stage that makes more of it. */
  #onTimeout(socket: Socket): void {
    const { running } = connectionOf(socket);
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(running === undefined ? 0 : this.#settings.limits.writeTimeout);
  }
}
