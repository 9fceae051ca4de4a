/** Runs an `http.Server` with limits, with problems as the answers to invalid requests, and with a graceful stop. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Handler } from '../http/context.ts';
import type { Limits } from '../http/limits.ts';
import { HttpProblem } from '../http/problem.ts';
import { assertOptions } from '../options/assert-options.ts';
import { type Listener, requestListener } from './answer-request.ts';
import { closeGracefully } from './close-gracefully.ts';
import { closeLingering } from './connection/closing.ts';
import { type Connection, connectionOf } from './connection/connection.ts';
import { allowHalfOpen, filterUpgrades, rawSocketOf } from './connection/node-internals.ts';
import { mountPathOf } from './mounted-listener.ts';
import { onClientError, onConnect, refusalText } from './parser-events.ts';
import { type ListenerOptions, type Servable, type ServerSettings, serverSettings } from './served.ts';
import { canUpgrade, onUpgrade } from './upgrade.ts';

/**
 * Turns an application or a handler into a listener for `createServer` of `node:http`, or into a middleware of Express,
 * Connect and Fastify. Limits heads and bodies; only `HttpService` also limits connections. Throws a `RangeError` for a
 * limit that is invalid or too low for a route of the application, and a `TypeError` for an unknown option.
 *
 * A framework passes `next`. The listener calls `next`, and does not change the request, if no route answers the
 * request, or if the request is invalid and outside the mount path and the base path (D78). The listener sends every
 * other reply itself, including problems, so `next` never gets an error.
 *
 * Mount the listener before body parsers. If a body parser has read the body, reading it in a handler throws an
 * `Error`, and the client gets a 500.
 *
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const api = listener(application([hello])); // express().use('/api', api)
 */
export function listener(served: Handler | Servable, options: ListenerOptions = {}): Listener {
  assertOptions('serve', options, ['limits']);
  const settings = serverSettings(served, options.limits);
  const { forwarding } = settings;
  const prefixOf = (request: IncomingMessage): string => (forwarding?.prefixOf?.(request) ?? '') + mountPathOf(request);
  return requestListener({ ...settings, forwarding: { ...forwarding, prefixOf } });
}

/** The options of a service. */
export interface ServiceOptions extends ListenerOptions {
  /** Serves over TLS with these options of `node:https`, such as `cert` and `key`. They are passed on unchecked. */
  readonly tls?: TlsOptions | undefined;
}

/** An HTTP server with limits on connections, heads, bodies and replies. */
export class HttpService {
  readonly server: Server;
  readonly #settings: ServerSettings;
  readonly #isTls: boolean;
  readonly #connections: Set<Connection> = new Set();

  /**
   * Serves an application or a handler. Throws a `RangeError` for a limit that is invalid or too low for a route of the
   * application. Throws a `TypeError` for an unknown option. Throws the error of `node:tls` for an invalid certificate.
   */
  constructor(served: Handler | Servable, options: ServiceOptions = {}) {
    assertOptions('serve', options, ['limits', 'tls']);
    const { tls } = options;
    const shared = serverSettings(served, options.limits);
    const { limits } = shared;
    this.#isTls = tls !== undefined;
    const settings = (this.#settings = { ...shared, headersOf: undefined });
    const server = (this.server = makeServer(limits, tls));
    const unmet = new HttpProblem(417, 'The service supports no expectation except "100-continue"');
    server.on('request', requestListener(settings));
    server.on('checkContinue', requestListener(settings, true));
    server.on('checkExpectation', requestListener(settings, false, unmet));
    server.on('clientError', (error, socket) => onClientError(error, socket as Socket, settings));
    server.on('connect', (_, socket) => onConnect(socket, settings));
    const { takesUpgrade } = settings;
    if (takesUpgrade !== undefined) {
      filterUpgrades(server, (request) => canUpgrade(request) && takesUpgrade(request));
      server.on('upgrade', (request, _, head) => onUpgrade(request, head, requestListener(settings)));
    }
    server.on('connection', (socket) => this.#track(socket));
    // From now on the TLS socket is tracked. During the handshake the raw socket was tracked.
    server.on('secureConnection', (socket: Socket) => {
      this.#connections.delete(connectionOf(rawSocketOf(socket)));
      this.#track(socket);
    });
  }

  /** True while the service listens and does not drain. */
  get ready(): boolean {
    return this.server.listening && !this.#settings.stopping.isDraining;
  }

  /** The open connections, including upgraded connections. */
  get connections(): ReadonlySet<Connection> {
    return new Set(this.#connections);
  }

  /** The limits of the service. */
  get limits(): Limits {
    return this.#settings.limits;
  }

  /** The memory of all request bodies, in bytes. */
  get bodyMemory(): number {
    return this.#settings.bodies.bytes;
  }

  /**
   * Listens on this port, or on any free port if it is 0. The host `::` means every address, or every IPv4 address if
   * the system has no IPv6 (D45). With `reusePort`, several processes of one user can listen on the same port, and the
   * system distributes new connections (Linux with Node 22.12 or newer). Rejects with the error of the system, such as
   * `EADDRINUSE`.
   */
  async listen(port: number, host = '127.0.0.1', reusePort = false): Promise<AddressInfo> {
    // Without a host Node tries `::`, then `0.0.0.0`.
    const options = { port, reusePort };
    this.server.listen(host === '::' ? options : { ...options, host });
    await once(this.server, 'listening');
    // An error such as EMFILE must not end the process. The new connection waits in the queue of the kernel.
    this.server.on('error', () => {});
    return this.server.address() as AddressInfo;
  }

  /**
   * Prepares a stop behind a load balancer: `ready` becomes false, and each reply has `Connection: close`. The service
   * accepts and answers requests until `close`. Open streams continue, because the client of an ended stream would
   * reconnect to this instance (D111).
   */
  drain(): void {
    this.#settings.stopping.isDraining = true;
  }

  /**
   * Ends open streams, accepts the connections that the system has queued, stops listening, and answers the requests
   * that clients have sent. Resolves when all connections are closed, including upgraded connections. After `grace`
   * milliseconds, destroys the connections that are still open.
   */
  close(grace = 8000): Promise<void> {
    this.#settings.stopping.abort();
    return closeGracefully(this.server, this.#connections, grace);
  }

  #track(socket: Socket): void {
    const connection = connectionOf(socket);
    const { limits } = this.#settings;
    if (this.#connections.size >= limits.maxConnections) {
      const detail = 'The service has reached its limit of connections';
      const problem = new HttpProblem(503, detail, { headers: { 'Retry-After': '1' } });
      const text = refusalText(socket, this.#settings, problem, 'maxConnections');
      // Over TLS, the service cannot send a reply before the handshake.
      if (this.#isTls) return void socket.destroy();
      connection.input = 'ignored';
      // The client has one second to read the reply.
      return closeLingering(socket, { ...limits, drainTimeout: 1000 }, text);
    }
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }
}

/** Creates the server. Throws the error of `node:tls` for an invalid certificate. */
function makeServer(limits: Limits, tls: TlsOptions | undefined): Server {
  const options: ServerOptions & { readonly optimizeEmptyRequests: true } = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: 1000,
    // Without this option, Node drops all lines except the first of some headers (RFC 9110 §5.2).
    joinDuplicateHeaders: true,
    // A request without a body then has a stream that has ended, which costs nothing (Node 24).
    optimizeEmptyRequests: true,
    // `validateRequest` answers a missing `Host` with a problem.
    requireHostHeader: false,
    // The flag `--insecure-http-parser` of Node would let a second request be smuggled in a body (RFC 9112 §11.2).
    insecureHTTPParser: false,
  };
  const server = tls === undefined ? createServer(options) : makeTlsServer(options, tls, limits);
  // Node would drop further header lines. `validateRequest` counts the lines and refuses the request.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  return server;
}

/**
 * Creates a TLS server for HTTP/1.1. A client may end its side of the connection and continue to read, as over TCP. By
 * default, the handshake has the same time limit as the head of a request (D77).
 */
function makeTlsServer(options: ServerOptions, tls: TlsOptions, { headTimeout }: Limits): Server {
  // Loaded only for TLS, because loading the module takes a tenth of the start time.
  const { createServer: createTlsServer } = process.getBuiltinModule('node:https');
  const { handshakeTimeout = headTimeout } = tls;
  return createTlsServer({ ...tls, ...options, handshakeTimeout, allowHalfOpen: true }) as unknown as Server;
}
