/** Sends requests through a recorded application, without a socket, and waits for the recording of each. */
import {
  request as clientRequest,
  type OutgoingHttpHeaders,
  type Server,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { thrownMessage } from '../../extending.ts';
import type { ListenerOptions, RunnableApplication } from '../../index.ts';
import { connectInMemory, HttpService } from '../../instrument.ts';
import type { Recorder } from './recorder.ts';
import type { Finished } from './recording.ts';

/** A request to send. */
export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
}

/** A reply, with the beginning of its body. */
export interface BriefReply {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** What became of a request. */
export interface RecordedAnswer {
  /** A text that says why, where the connection was closed without a reply. */
  readonly answer: BriefReply | string;
  /** Undefined for a request that the parser refused, which no station saw. */
  readonly recording: Finished | undefined;
}

/** A client that waits for a stream without an end, or for a handler that never answers, leaves after so long. */
const PATIENCE = 5000;

/** A service whose requests are asked one after the other. */
export class RecordedService {
  readonly #recorder: Recorder;
  readonly #service: HttpService;

  /** `order` is that of the stages, by their number. */
  constructor(
    application: RunnableApplication,
    recorder: Recorder,
    limits: NonNullable<ListenerOptions['limits']>,
    order?: readonly number[],
  ) {
    this.#recorder = recorder;
    this.#service = new HttpService(recorder.servable(application, order), { limits });
    recorder.watch(this.#service.server);
  }

  /** Sends the request. Never rejects. */
  async ask(request: AskedRequest): Promise<RecordedAnswer> {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), PATIENCE);
    const before = this.#recorder.count;
    const recorded = new Promise<Finished>((resolve) => (this.#recorder.done = resolve));
    const failed = (error: unknown): string =>
      `no answer: ${leaving.signal.aborted ? `not complete within ${PATIENCE / 1000} s` : thrownMessage(error)}`;
    const answer = await answerOf(this.#service.server, request, leaving.signal).catch(failed);
    clearTimeout(timer);
    // A reply is here a moment before its recording ends.
    return { answer, recording: this.#recorder.count === before ? undefined : await recorded };
  }
}

/** So many bytes of a body are kept; the others are read and dropped. */
const KEPT_BYTES = 64 * 1024;

/** Rejects where the server closes the connection without a whole reply, and when the signal is aborted. */
function answerOf(server: Server, asked: AskedRequest, signal: AbortSignal): Promise<BriefReply> {
  const { method, path, body } = asked;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const headers: OutgoingHttpHeaders = { Host: 'localhost', Connection: 'close', ...length };
  for (const [name, values] of Object.entries(asked.headers)) headers[name] = [...values];
  return new Promise((resolve, reject) => {
    const createConnection = () => connectInMemory(server);
    const sent = clientRequest({ method, path, headers, createConnection, signal }, (reply) => {
      let kept = Buffer.alloc(0);
      reply.on('data', (chunk: Buffer) => {
        if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES)]);
      });
      const { statusCode: status = 0 } = reply;
      reply.on('error', reject).on('end', () => {
        resolve({ status, type: reply.headers['content-type'], body: kept.toString('utf8') });
      });
    });
    sent.on('error', reject).end(body);
  });
}

/** What is wrong with the line, in the words of Node; undefined for one that can be sent. */
export function sentHeaderFault(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return undefined;
  } catch (error) {
    return thrownMessage(error);
  }
}
