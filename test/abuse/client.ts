/** One client over one kept connection: requests one after the other, each answer read whole. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a request, with `body` as JSON unless it is undefined. Rejects when no whole answer comes. */
  send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const framing =
      text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      const asked = request(
        { agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path, headers: { ...framing, ...headers } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
          response.on('end', () => {
            const { headers } = response;
            const { etag, location } = headers;
            resolve({ status: response.statusCode!, etag, location, text: Buffer.concat(parts).toString(), headers });
          });
        },
      );
      asked.on('error', reject).end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
