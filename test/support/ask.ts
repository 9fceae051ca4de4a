/**
 * Sends requests over a raw socket, byte for byte, and parses the answers. `fetch` cannot omit `Host`, send half a body
 * or detect a second answer.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

/** One parsed answer. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  /** Names are in lower case. Lines with the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /** Parses the body as JSON. Throws if it is not JSON. */
  json(): any;
}

export const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
export const textsOf = (answers: readonly Answer[]): string[] => answers.map(({ text }) => text);

/** A request. A body is sent with its length, and a list of bodies in chunks. */
export interface Question {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** The default is `1.1`. */
  readonly version?: string;
}

/** Returns the bytes of a request. Adds `Host` unless the headers have it. An empty list omits it. */
export function requestBytes({ method = 'GET', target = '/', headers = {}, body, version = '1.1' }: Question): Buffer {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [`${method} ${target} HTTP/${version}`];
  if (!names.has('host')) lines.push('Host: test');
  for (const [name, values] of Object.entries(headers))
    for (const value of [values].flat()) lines.push(`${name}: ${value}`);
  const chunked = Array.isArray(body);
  const bytes = (part: string | Uint8Array): Buffer => Buffer.from(part as string);
  if (chunked) lines.push('Transfer-Encoding: chunked');
  else if (body !== undefined && !names.has('content-length'))
    lines.push(`Content-Length: ${bytes(body as string).length}`);
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (!chunked) return body === undefined ? head : Buffer.concat([head, bytes(body as string)]);
  const chunks = (body as readonly (string | Uint8Array)[]).flatMap((part) => [
    Buffer.from(`${bytes(part).length.toString(16)}\r\n`),
    bytes(part),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')]);
}

/** The clients by the port that they are connected to. */
const clients = new Map<number, Client[]>();

/** Destroys the clients of a port. The services of `serve.ts` call it when their test ends. */
export function destroyClients(port: number): void {
  for (const client of clients.get(port) ?? []) client.destroy();
  clients.delete(port);
}

/** One connection: it sends requests and parses the answers in order. */
export class Client {
  readonly socket: Socket;
  #chunks: Buffer[] = [];
  #length = 0;
  /** The number of bytes received so far. */
  received = 0;
  ended = false;
  error: NodeJS.ErrnoException | undefined = undefined;
  readonly #closed: Promise<void>;
  #wake: () => void = () => {};

  constructor(port: number, { reads = true, halfOpen = true }: { reads?: boolean; halfOpen?: boolean } = {}) {
    const socket = (this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: halfOpen }));
    clients.set(port, [...(clients.get(port) ?? []), this]);
    socket.setNoDelay(true);
    if (reads) this.read();
    socket.on('end', () => {
      this.ended = true;
      this.#wake();
    });
    socket.on('error', (error) => {
      this.error = error;
    });
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.ended = true;
        this.#wake();
        resolve();
      });
    });
  }

  /** Starts to read. */
  read(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      this.#wake();
    });
  }

  /** The received bytes after the last parsed answer. */
  get rest(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  set rest(bytes: Buffer) {
    this.#chunks = [bytes];
    this.#length = bytes.length;
  }

  /** Sends bytes, a request, or requests in one packet. Resolves when the system has accepted the bytes, or the connection is closed. */
  send(what: string | Uint8Array | Question | readonly Question[]): Promise<void> {
    let bytes = what as Uint8Array;
    if (typeof what === 'string') bytes = Buffer.from(what, 'latin1');
    else if (!(what instanceof Uint8Array)) bytes = Buffer.concat([what].flat().map(requestBytes));
    return new Promise((resolve) => void this.socket.write(bytes, () => resolve()));
  }

  /** Ends the sending side. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  /**
   * Resolves with the next answer, which may be an interim answer (100). Set `head` for a HEAD request, whose answer has
   * no body despite its `Content-Length`. Rejects if the connection ends before the answer.
   */
  async answer({ head = false } = {}): Promise<Answer> {
    for (;;) {
      const { ended } = this;
      const parsed = parse(this.rest, head, ended);
      if (typeof parsed === 'object') {
        this.rest = this.rest.subarray(parsed.length);
        return parsed.answer;
      }
      if (ended) {
        const code = this.error ? ` (${this.error.code})` : '';
        const sent = JSON.stringify(this.rest.toString('latin1').slice(0, 200));
        throw new Error(`The connection ended without an answer${code}; it had sent ${sent}`);
      }
      // Parses a long answer again only when enough bytes have arrived.
      while (this.#length < parsed && !this.ended) await this.#more();
    }
  }

  /** Sends a request and resolves with its answer. */
  async ask(question: Question): Promise<Answer> {
    void this.send(question);
    return this.answer({ head: question.method === 'HEAD' });
  }

  /** Resolves with all answers when the server ends the connection. Fails the test on other bytes. */
  async answers({ heads = [] as readonly boolean[] } = {}): Promise<Answer[]> {
    await this.over();
    const answers: Answer[] = [];
    while (this.rest.length > 0) {
      const parsed = parse(this.rest, heads[answers.length] ?? false, true);
      assert.ok(
        typeof parsed === 'object',
        `not a complete answer: ${JSON.stringify(this.rest.toString('latin1').slice(0, 300))}`,
      );
      answers.push(parsed.answer);
      this.rest = this.rest.subarray(parsed.length);
    }
    return answers;
  }

  /** Resolves when the server has ended the connection. */
  async over(): Promise<void> {
    while (!this.ended) await this.#more();
    this.socket.end();
  }

  /** Resolves when the connection is closed in both directions. */
  closed(): Promise<void> {
    return this.#closed;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** Sends a request on a new connection. Fails the test unless exactly one complete answer arrives. */
export async function ask(port: number, question: Question | string | Uint8Array): Promise<Answer> {
  const client = new Client(port);
  const bytes =
    typeof question === 'string' || question instanceof Uint8Array
      ? question
      : { ...question, headers: { Connection: 'close', ...question.headers } };
  void client.send(bytes);
  const isHead = typeof question === 'object' && !(question instanceof Uint8Array) && question.method === 'HEAD';
  const answers = await client.answers({ heads: [isHead] });
  assert.equal(
    answers.length,
    1,
    `expected one answer, got ${answers.map(({ status }) => status).join(', ') || 'none'}${client.error ? ` (${client.error.code})` : ''}`,
  );
  client.destroy();
  return answers[0]!;
}

/** Returns the answer at the start of these bytes, or the least number of bytes that a complete answer needs. */
function parse(bytes: Buffer, head: boolean, ended: boolean): { answer: Answer; length: number } | number {
  const blank = bytes.indexOf('\r\n\r\n');
  if (blank < 0) return bytes.length + 1;
  const [first = '', ...lines] = bytes.subarray(0, blank).toString('latin1').split('\r\n');
  const start = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(first);
  assert.ok(start, `not a status line: ${JSON.stringify(first.slice(0, 200))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    assert.ok(colon > 0, `not a header line: ${JSON.stringify(line)}`);
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const status = Number(start[1]);
  const from = blank + 4;
  const answerWith = (body: Buffer, length: number): { answer: Answer; length: number } => ({
    length,
    answer: {
      status,
      reason: start[2]!,
      headers,
      body,
      get text() {
        return body.toString();
      },
      json: () => JSON.parse(body.toString()),
    },
  });
  if (head || status < 200 || status === 204 || status === 304) return answerWith(Buffer.alloc(0), from);
  if (headers['transfer-encoding'] === 'chunked') return unchunked(bytes, from, answerWith);
  if (headers['content-length'] === undefined)
    return ended ? answerWith(bytes.subarray(from), bytes.length) : bytes.length + 1;
  const end = from + Number(headers['content-length']);
  return bytes.length < end ? end : answerWith(bytes.subarray(from, end), end);
}

function unchunked<T>(bytes: Buffer, from: number, answerWith: (body: Buffer, length: number) => T): T | number {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return bytes.length + 1;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (bytes.length < end + 2) return end + 2;
    if (size === 0) return answerWith(Buffer.concat(chunks), end + 2);
    chunks.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}
