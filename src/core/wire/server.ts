/** Makes the server of Node behind a service, over TCP or TLS; of Node's own limits it has the times of requests. */
import { createServer, type Server, type ServerOptions } from 'node:http';
import type { TlsOptions } from 'node:tls';
import type { Limits } from './connection/limits.ts';
import { allowHalfOpen } from './connection/node-internals.ts';

/** How often Node checks the times of heads and requests, in milliseconds. */
const CHECK_INTERVAL = 1000;

/** The server, over TLS where `tls` is given. Throws what `node:tls` throws for a certificate that cannot be used. */
export function makeServer(limits: Limits, tls: TlsOptions | undefined): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headTimeout,
    requestTimeout: limits.requestTimeout,
    // Node sets and clears a timer for each request, 3 % of a PUT. `watchConnections` closes idle connections.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: CHECK_INTERVAL,
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
  const guarded = {
    handshakeTimeout: headTimeout,
    ...tls,
    ...options,
    allowHalfOpen: true,
    ALPNProtocols: ['http/1.1'],
  };
  return createTlsServer(guarded) as unknown as Server;
}
