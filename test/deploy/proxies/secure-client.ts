/** TLS clients that send requests one after the other on a keep-alive connection, with HTTP/1.1 or HTTP/2. */
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { Agent, type AgentOptions, request } from 'node:https';
import { connect as connectSecurely } from 'node:tls';
import { CERTIFICATE } from '../../support/certificate.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface SecureClient {
  /** Rejects if no complete reply arrives. */
  ask(method: string, path: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<Reply>;
  close(): void;
}

/** Connects to `127.0.0.1`, unless `options` set another host. */
export function http1Client(port: number, options: AgentOptions = {}): SecureClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: CERTIFICATE, family: 4, ...options });
  return {
    ask: (method, path, headers = {}, body = undefined) =>
      new Promise((resolve, reject) => {
        const framing = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
        const options = { agent, host: 'localhost', port, method, path, headers: { ...headers, ...framing } };
        const asked = request(options, (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part: string) => {
            text += part;
          });
          reply.on('error', reject);
          reply.on('end', () => resolve({ status: reply.statusCode!, headers: reply.headers, text }));
        });
        asked.on('error', reject).end(body);
      }),
    close: () => agent.destroy(),
  };
}

export function http2Client(port: number): SecureClient {
  let session: ClientHttp2Session | undefined;
  const ask: SecureClient['ask'] = async (method, path, headers = {}, body = undefined) => {
    const options = { ca: CERTIFICATE, family: 4 };
    if (session === undefined || session.closed || session.destroyed)
      session = connect(`https://localhost:${port}`, options).on('error', () => {});
    const stream = session.request({ ':method': method, ':path': path, ...headers });
    let head: Reply['headers'] | undefined;
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    stream.once('response', (received) => {
      head = received;
    });
    const ended = new Promise<Error | undefined>((resolve) => {
      stream.once('error', resolve).once('close', () => resolve(undefined));
      // A reply can be complete before its request, for example if the body is too large.
      stream.once('end', () => resolve(undefined));
    });
    stream.end(body);
    const error = await ended;
    // The server has not processed the request (RFC 9113 §8.7).
    if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) {
      session = undefined;
      return ask(method, path, headers, body);
    }
    if (!stream.writableFinished) stream.close(constants.NGHTTP2_CANCEL);
    if (head !== undefined && stream.readableEnded) return { status: Number(head[':status']), headers: head, text };
    throw error ?? new Error(`the stream ended with the code ${stream.rstCode}`);
  };
  return { ask, close: () => session?.close() };
}

/** Sends a text as it is over TLS, and resolves to everything that is received until the connection is closed. */
export async function sentSecurely(port: number, text: string): Promise<string> {
  const options = { port, host: '127.0.0.1', servername: 'localhost', ca: CERTIFICATE };
  const socket = connectSecurely(options).setEncoding('latin1');
  socket.write(text);
  let received = '';
  for await (const part of socket) received += part;
  return received;
}
