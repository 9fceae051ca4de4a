/** An `http.Server` with limits, an answer to each event that could harm it, and a graceful stop. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Handler } from '../message/context.ts';
import { HttpProblem } from '../message/problem.ts';
import { assertOptions, assertTls } from '../options/assert-options.ts';
import { type Listener, requestListener } from './answer-request.ts';
import { closeGracefully } from './close-gracefully.ts';
import { closeLingering } from './connection/closing.ts';
import { type Connection, connectionOf } from './connection/connection.ts';
import type { Limits } from './connection/limits.ts';
import { allowHalfOpen, rawSocketOf } from './connection/node-internals.ts';
import { mountPathOf } from './mounted-listener.ts';
import { onClientError, onConnect, refusalText } from './parser-events.ts';
import { type ListenerOptions, type Servable, type ServerSettings, serverSettings } from './served.ts';
import { watchConnections } from './watch.ts';

/**
 * Turns an application or a handler into a listener for `createServer` of `node:http`, or a middleware of Express,
 * Connect and Fastify, within the limits of heads and bodies. `HttpService` also guards the connections. Throws as
 * `serverSettings` does.
 *
 * With `next`, the listener passes a request on untouched if nothing answers it, or if it is refused outside the mount
 * path and the base path (D78). It sends every other reply, problems too: `next` never gets an error.
 *
 * Mount it before body parsers. A handler that reads a body which a parser has read gets an `Error`, a 500.
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
  /** Serves over TLS: `cert`, `key` and what else `node:tls` takes. */
  readonly tls?: TlsOptions | undefined;
}

/** An HTTP server with limits on connections, heads, bodies and replies. */
export class HttpService {
  readonly server: Server;
  readonly #settings: ServerSettings;
  readonly #isTls: boolean;
  readonly #connections: Set<Connection> = new Set();
  /** Closed while their handler still runs. */
  readonly #orphaned: Set<Connection> = new Set();
  #isWatched = false;

  /**
   * Serves an application, or a handler alone. Throws a `RangeError` for a limit that cannot be used, or within which a
   * route cannot answer; a `TypeError` for an unknown option, and for TLS without a certificate; and what `node:tls`
   * throws for a certificate that cannot be used.
   */
  constructor(served: Handler | Servable, options: ServiceOptions = {}) {
    assertOptions('serve', options, ['limits', 'tls']);
    const { tls } = options;
    if (tls !== undefined) assertTls(tls);
    const shared = serverSettings(served, options.limits);
    const { limits } = shared;
    this.#isTls = tls !== undefined;
    const settings = (this.#settings = { ...shared, keepAlive: limits.idleTimeout, headersOf: undefined });
    const server = (this.server = makeServer(limits, tls));
    const unmet = new HttpProblem(417, 'The only expectation that can be met is "100-continue"');
    server.on('request', requestListener(settings));
    server.on('checkContinue', requestListener(settings, true));
    server.on('checkExpectation', requestListener(settings, unmet));
    server.on('clientError', (error, socket) => onClientError(error, socket as Socket, settings));
    server.on('connect', (_, socket) => onConnect(socket, settings));
    server.on('timeout', (socket) => {
      // A client that does not read is cut. A stage that has not sent more of its stream is waited for.
      const isIdle = connectionOf(socket).running === undefined;
      if (socket.writableLength > 0) socket.destroy();
      else socket.setTimeout(isIdle ? 0 : limits.writeTimeout);
    });
    server.on('listening', () => this.watch());
    server.on('connection', (socket) => this.#track(socket));
    // Its raw socket has been tracked during the handshake.
    server.on('secureConnection', (socket: Socket) => {
      this.#connections.delete(connectionOf(rawSocketOf(socket)));
      this.#track(socket);
    });
  }

  /** Holds the limits of time too, for connections that come in without `listen`. */
  watch(): this {
    if (this.#isWatched) return this;
    this.#isWatched = true;
    watchConnections(this.server, this.#connections, this.#orphaned, this.#settings);
    this.server.once('close', () => {
      this.#isWatched = false;
    });
    return this;
  }

  /** Whether the service takes requests. */
  get ready(): boolean {
    return this.server.listening && !this.#settings.stopping.isDraining;
  }

  /** The connections that are open now, upgraded ones too. */
  get connections(): ReadonlySet<Connection> {
    return new Set(this.#connections);
  }

  /** The limits that hold. */
  get limits(): Limits {
    return this.#settings.limits;
  }

  /** Memory that bodies of requests take, in bytes. */
  get bodyMemory(): number {
    return this.#settings.bodies.bytes;
  }

  /**
   * Listens; port 0 is any free one. `::` stands for every address: of IPv4 alone where the system has no IPv6 (D45).
   * With `reusePort` other processes of this user that set it too can listen on the same port, and the system shares
   * out new connections: on Linux, with Node 22.12 or newer. Rejects with the error of the system, `EADDRINUSE` for
   * example.
   */
  async listen(port: number, host = '127.0.0.1', reusePort = false): Promise<AddressInfo> {
    // Without a host Node takes `::`, or `0.0.0.0` where that fails.
    const options = { port, reusePort };
    this.server.listen(host === '::' ? options : { ...options, host });
    await once(this.server, 'listening');
    // After EMFILE the connection waits in the queue of the kernel.
    this.server.on('error', () => {});
    return this.server.address() as AddressInfo;
  }

  /**
   * Prepares a stop behind a balancer: from now on `ready` is false and each reply says `Connection: close`. The
   * service accepts and answers until `close`, and open streams go on.
   */
  drain(): void {
    this.#settings.stopping.isDraining = true;
  }

  /**
   * Ends open streams, accepts the connections that the system has queued, stops listening and answers the requests
   * that are sent. Resolves once all connections are closed, upgraded ones too; cuts them after `grace` ms.
   */
  close(grace = 8000): Promise<void> {
    this.#settings.stopping.abort();
    return closeGracefully(this.server, this.#connections, grace);
  }

  #track(socket: Socket): void {
    const connection = connectionOf(socket);
    const { limits } = this.#settings;
    if (this.#connections.size >= limits.maxConnections) {
      const detail = 'The service has as many connections as it can serve';
      const problem = new HttpProblem(503, detail, { headers: { 'Retry-After': '1' } });
      const text = refusalText(socket, this.#settings, problem, 'maxConnections');
      // No reply can be sent before the handshake.
      if (this.#isTls) return void socket.destroy();
      connection.input = 'ignored';
      // The client has a second to read it.
      return closeLingering(socket, { ...limits, drainTimeout: 1000 }, text);
    }
    this.#connections.add(connection);
    socket.once('close', () => {
      this.#connections.delete(connection);
      // The limits of time and memory hold for its handler too.
      if (connection.running !== undefined) this.#orphaned.add(connection);
    });
  }
}

/** Throws what `node:tls` throws for a certificate that cannot be used. */
function makeServer(limits: Limits, tls: TlsOptions | undefined): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headTimeout,
    requestTimeout: limits.requestTimeout,
    // Node sets and clears a timer for each request, 3 % of a PUT. The watch closes idle connections.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Node drops all lines but the first of some headers otherwise (RFC 9110 §5.2).
    joinDuplicateHeaders: true,
    // Request validation answers with a problem.
    requireHostHeader: false,
  };
  const server = tls === undefined ? createServer(options) : makeTlsServer(options, tls, limits);
  // Request validation counts them.
  server.maxHeadersCount = 0;
  allowHalfOpen(server);
  return server;
}

/** HTTP/1.1 alone is offered (D77). Half-open connections, as over TCP: a client may end its side and read on. */
function makeTlsServer(options: ServerOptions, tls: TlsOptions, { headTimeout }: Limits): Server {
  // Loaded by who serves TLS: it takes a tenth of a start.
  const { createServer: createTlsServer } = process.getBuiltinModule('node:https');
  const { handshakeTimeout = headTimeout } = tls;
  const own = { ...options, handshakeTimeout, allowHalfOpen: true, ALPNProtocols: ['http/1.1'] };
  return createTlsServer({ ...tls, ...own }) as unknown as Server;
}
