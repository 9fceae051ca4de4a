/**
 * Requests over a raw socket, byte for byte, and their answers: `fetch` is too polite to leave out a Host, to send half
 * a body or to notice that one request was answered twice.
 */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

/** One answer, as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case; lines of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
  /** The body as JSON. Throws when it is none. */
  json(): any;
}

export const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
export const textsOf = (answers: readonly Answer[]): string[] => answers.map(({ text }) => text);

/** What is asked: a body is sent with its length, a list of bodies in chunks. */
export interface Question {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** `1.1` unless given. */
  readonly version?: string;
}

/** The bytes of a request. A `Host` is added unless the headers name one, or name it as ''. */
export function requestBytes({ method = 'GET', target = '/', headers = {}, body, version = '1.1' }: Question): Buffer {
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const lines = [`${method} ${target} HTTP/${version}`];
  if (!given.has('host')) lines.push('Host: test');
  for (const [name, values] of Object.entries(headers))
    for (const value of [values].flat()) lines.push(`${name}: ${value}`);
  const chunked = Array.isArray(body);
  const bytes = (part: string | Uint8Array): Buffer => Buffer.from(part as string);
  if (chunked) lines.push('Transfer-Encoding: chunked');
  else if (body !== undefined && !given.has('content-length'))
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

/** The clients that were made, by the port that they are connected to. */
const clients = new Map<number, Client[]>();

/** Destroys the clients of this port. A service of `serve.ts` does it when its test ends. */
export function destroyClients(port: number): void {
  for (const client of clients.get(port) ?? []) client.destroy();
  clients.delete(port);
}

/** One connection: what is sent, the answers in their order, and how it ended. */
export class Client {
  readonly socket: Socket;
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes that came in, all in all. */
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

  /** Begins to take what comes in. */
  read(): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.received += chunk.length;
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      this.#wake();
    });
  }

  /** Everything that came in and is not part of an answer that was taken. */
  get rest(): Buffer {
    if (this.#chunks.length !== 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0]!;
  }

  set rest(bytes: Buffer) {
    this.#chunks = [bytes];
    this.#length = bytes.length;
  }

  /** Sends bytes, or the bytes of a question. Resolves when the system has taken them, or the connection is gone. */
  send(what: string | Uint8Array | Question): Promise<void> {
    const bytes =
      typeof what === 'string' ? Buffer.from(what, 'latin1') : what instanceof Uint8Array ? what : requestBytes(what);
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
   * The next answer; an interim one (100) too. `head` when it answers a HEAD, which has no body whatever its length
   * says. Rejects when the connection ends first.
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
      // A long answer is not looked at again before it can be whole.
      while (this.#length < parsed && !this.ended) await this.#more();
    }
  }

  /** The answer to this question. */
  async ask(question: Question): Promise<Answer> {
    void this.send(question);
    return this.answer({ head: question.method === 'HEAD' });
  }

  /** Every answer until the server ends the connection. Bytes that are no answer fail the test. */
  async answers({ heads = [] as readonly boolean[] } = {}): Promise<Answer[]> {
    await this.over();
    const answers: Answer[] = [];
    while (this.rest.length > 0) {
      const parsed = parse(this.rest, heads[answers.length] ?? false, true);
      assert.ok(
        typeof parsed === 'object',
        `no complete answer: ${JSON.stringify(this.rest.toString('latin1').slice(0, 300))}`,
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

  /** Resolves when the connection is gone on both sides. */
  closed(): Promise<void> {
    return this.#closed;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** One question on a connection of its own. Exactly one answer must come, whole, with nothing behind it. */
export async function ask(port: number, question: Question | string | Uint8Array): Promise<Answer> {
  const client = new Client(port);
  const asked =
    typeof question === 'string' || question instanceof Uint8Array
      ? question
      : { ...question, headers: { Connection: 'close', ...question.headers } };
  void client.send(asked);
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

/** The answer that these bytes begin with, or how many bytes there must be at least before it can be one. */
function parse(bytes: Buffer, head: boolean, ended: boolean): { answer: Answer; length: number } | number {
  const blank = bytes.indexOf('\r\n\r\n');
  if (blank < 0) return bytes.length + 1;
  const [first = '', ...lines] = bytes.subarray(0, blank).toString('latin1').split('\r\n');
  const start = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(first);
  assert.ok(start, `no status line: ${JSON.stringify(first.slice(0, 200))}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    assert.ok(colon > 0, `no header line: ${JSON.stringify(line)}`);
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const status = Number(start[1]);
  const from = blank + 4;
  const made = (body: Buffer, length: number): { answer: Answer; length: number } => ({
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
  if (head || status < 200 || status === 204 || status === 304) return made(Buffer.alloc(0), from);
  if (headers['transfer-encoding'] === 'chunked') return unchunked(bytes, from, made);
  if (headers['content-length'] === undefined)
    return ended ? made(bytes.subarray(from), bytes.length) : bytes.length + 1;
  const end = from + Number(headers['content-length']);
  return bytes.length < end ? end : made(bytes.subarray(from, end), end);
}

function unchunked<Made>(bytes: Buffer, from: number, made: (body: Buffer, length: number) => Made): Made | number {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return bytes.length + 1;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (bytes.length < end + 2) return end + 2;
    if (size === 0) return made(Buffer.concat(chunks), end + 2);
    chunks.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}
