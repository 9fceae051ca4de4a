/** Sends requests through a recorded application, without a socket, and waits for the recording of each. */
import { once } from 'node:events';
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
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

/** So many bytes of a body are kept; the others are read and dropped. */
const KEPT_BYTES = 64 * 1024;

/** Makes the function that sends a request to a recorded application, whose stages stand in `order`. Never rejects. */
export function recordedService(
  application: RunnableApplication,
  recorder: Recorder,
  limits: NonNullable<ListenerOptions['limits']>,
  order?: readonly number[],
): (request: AskedRequest) => Promise<RecordedAnswer> {
  const { server } = new HttpService(recorder.servable(application, order), { limits });
  recorder.watch(server);
  return async (asked) => {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), PATIENCE);
    const before = recorder.count;
    const recorded = new Promise<Finished>((resolve) => (recorder.done = resolve));
    const failed = (error: unknown): string =>
      `no answer: ${leaving.signal.aborted ? `not complete within ${PATIENCE / 1000} s` : thrownMessage(error)}`;
    const answer = await answerOf(server, asked, leaving.signal).catch(failed);
    clearTimeout(timer);
    // A reply is here a moment before its recording ends.
    return { answer, recording: recorder.count === before ? undefined : await recorded };
  };
}

/** Rejects where the server closes the connection without a whole reply, and when the signal is aborted. */
async function answerOf(server: Server, asked: AskedRequest, signal: AbortSignal): Promise<BriefReply> {
  const { method, path, body } = asked;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const headers = { Host: 'localhost', Connection: 'close', ...length, ...asked.headers } as OutgoingHttpHeaders;
  const sent = request({ method, path, headers, signal, createConnection: () => connectInMemory(server) });
  const replied = once(sent, 'response');
  // What fails behind the head is told by the reply.
  sent.on('error', () => {}).end(body);
  const [reply] = (await replied) as [IncomingMessage];
  let kept = Buffer.alloc(0);
  for await (const chunk of reply)
    if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, (chunk as Buffer).subarray(0, KEPT_BYTES)]);
  return { status: reply.statusCode!, type: reply.headers['content-type'], body: kept.toString('utf8') };
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
