/** Sends one request through an application with a recorder, without a socket, and waits for the recording. */
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { application } from '../core/application/application.ts';
import { connectInMemory } from '../core/wire/in-memory.ts';
import { HttpService, logError, thrownMessage } from '../extending.ts';
import { Recorder } from '../extensions/trace/recorder.ts';
import type { Recording } from '../extensions/trace/recording.ts';
import type { Secrets } from '../extensions/trace/secrets.ts';
import { shown } from '../extensions/trace/views.ts';
import type { ListenerOptions, RunnableApplication } from '../index.ts';
import { SettingsError } from './settings/settings.ts';
import { unlessStuck } from './unless-stuck.ts';

/** A request to send. */
interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
}

/**
 * A client that waits for a stream without an end, or for a handler that never answers, leaves after so long. Plugins
 * have as long to stop. In milliseconds.
 */
const PATIENCE = 5000;

/** So many bytes of a body are kept; the others are read and dropped. */
const KEPT_BYTES = 64 * 1024;

/**
 * What its client got in words, or why it got nothing, without credentials; and the recording, unless the parser
 * refused the request. Rejects with the error of a failed start.
 */
export async function explainedRequest(
  { plugins, options }: RunnableApplication,
  limits: ListenerOptions['limits'],
  asked: AskedRequest,
): Promise<{ readonly answer: string; readonly recording: Recording | undefined }> {
  let finish: (...ended: [Recording, Secrets]) => void;
  const finished = new Promise<[Recording, Secrets]>((resolve) => {
    finish = (...ended) => resolve(ended);
  });
  const recorder = new Recorder('explain', (...ended) => finish(...ended));
  // It was composed once already, so its warnings were given.
  const watched = application([recorder.plugin, ...plugins], { ...options, warn: () => {} });
  const starting = plugins.filter((plugin) => plugin.start !== undefined).map(({ name }) => `"${name}"`);
  await unlessStuck(
    watched.start(),
    () =>
      new SettingsError(`Cannot explain the request: the start of ${starting.join(' or ')} never settles; correct it`),
  );
  try {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), PATIENCE);
    const failed = (error: unknown): string =>
      `no answer: ${leaving.signal.aborted ? `not complete within ${PATIENCE / 1000} s` : thrownMessage(error)}`;
    const { server } = new HttpService(watched, { limits });
    const answer = await answerOf(server, asked, leaving.signal).catch(failed);
    clearTimeout(timer);
    if (recorder.count === 0) return { answer, recording: undefined };
    // A reply is here a moment before its recording ends.
    const [recording, secrets] = await finished;
    return { answer: secrets.search().text(answer), recording: shown(recording, secrets) };
  } finally {
    await watched.stop(PATIENCE).catch(logError);
  }
}

/**
 * The status and the media type of the reply, and the detail of a problem. Rejects where the server closes the
 * connection without a whole reply, and when the signal is aborted.
 */
async function answerOf(server: Server, asked: AskedRequest, signal: AbortSignal): Promise<string> {
  const { method, path, body } = asked;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  // A connection that closes with the reply may close before the reply counts as sent.
  const headers = { Host: 'localhost', Connection: 'keep-alive', ...length, ...asked.headers } as OutgoingHttpHeaders;
  const sent = request({ method, path, headers, signal, createConnection: () => connectInMemory(server) });
  const replied = once(sent, 'response');
  // What fails behind the head is told by the reply.
  sent.on('error', () => {}).end(body);
  const [reply] = (await replied) as [IncomingMessage];
  let kept = Buffer.alloc(0);
  for await (const chunk of reply)
    if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, (chunk as Buffer).subarray(0, KEPT_BYTES)]);
  const type = reply.headers['content-type'];
  const without = kept.length === 0 ? 'without a body' : 'with a body without a Content-Type';
  const isProblem = type === 'application/problem+json' && kept.length > 0;
  return `${reply.statusCode} ${type ?? without}${isProblem ? `: ${detailOf(kept.toString())}` : ''}`;
}

/** The detail of a problem. A plugin may have made one that is not JSON. */
function detailOf(problem: string): unknown {
  try {
    return (JSON.parse(problem) as { readonly detail?: unknown }).detail;
  } catch {
    return 'its body is no JSON';
  }
}
