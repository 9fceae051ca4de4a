/** Sends a request into a server through a pair of in-memory sockets, with parser, validation, stages and writer. */
import { request as clientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, type Server } from 'node:http';
import { connectInMemory } from './in-memory/memory-socket.ts';

/** The request. `GET` without headers and body by default. */
export interface InjectedRequest {
  readonly method?: string;
  /** A request target, `/api/todo` for example. */
  readonly path: string;
  /** `Host`, `Connection: close` and `Content-Length` are added. */
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as it is: an object is not converted to JSON. */
  readonly body?: string | Uint8Array;
}

/** The reply. */
export interface InjectedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The bytes as UTF-8 text. */
  readonly body: string;
}

/**
 * Resolves with the reply of the server. Rejects when the server closes the connection without one.
 *
 *     const { server } = new HttpService(application([todo()]).handler);
 *     const { status, body } = await inject(server, { path: '/api/todo' });
 */
export function inject(
  server: Server,
  { method = 'GET', path, headers = {}, body }: InjectedRequest,
): Promise<InjectedReply> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = clientRequest(
      {
        method,
        path,
        headers: { Host: 'localhost', Connection: 'close', ...length, ...headers },
        createConnection: () => connectInMemory(server),
      },
      (reply) => {
        reply.toArray().then((chunks: Buffer[]) => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: reply.statusCode!, headers: reply.headers, bytes, body: bytes.toString('utf8') });
        }, reject);
      },
    );
    sent.on('error', reject).end(body);
  });
}
