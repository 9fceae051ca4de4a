/**
 * Sends one request through an application with a recorder, without a socket, and returns the recording. The
 * application is composed again for that, so that the one in its file stays as it is (D92, D96).
 */
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http';
import { application } from '../core/application/application.ts';
import { connectInMemory } from '../core/wire/in-memory.ts';
import { HttpService, logError, thrownMessage } from '../extending.ts';
import type { ListenerOptions, RunnableApplication } from '../index.ts';
import { Recorder } from '../plugins/trace/recorder.ts';
import type { Recording } from '../plugins/trace/recording.ts';
import { SettingsError } from './settings/settings.ts';
import { unlessStuck } from './unless-stuck.ts';

interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body?: string | Uint8Array | undefined;
}

/** The time limit of the reply in milliseconds, because a reply may never end. Also the time for plugins to stop. */
const PATIENCE = 5000;

/** The most bytes of a reply's body that are kept. The rest is read and dropped. */
const KEPT_BYTES = 64 * 1024;

/**
 * Resolves to `answer`, a line without credentials about the reply, or about the cause if no reply came. Also resolves
 * to the recording, unless the parser refused the request. Rejects if the start of a plugin fails.
 */
export async function explainedRequest(
  { plugins, options }: RunnableApplication,
  limits: ListenerOptions['limits'],
  asked: AskedRequest,
): Promise<{ readonly answer: string; readonly recording: Recording | undefined }> {
  let finish: (recording: Recording) => void;
  const finished = new Promise<Recording>((resolve) => {
    finish = resolve;
  });
  const recorder = new Recorder('explain', (recording) => finish(recording));
  // The warnings are dropped, because the first composition of the application has already printed them.
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
    // Waits for the recording, which ends a moment after the reply has arrived.
    return { answer, recording: await finished };
  } finally {
    await watched.stop(PATIENCE).catch(logError);
  }
}

/**
 * Resolves to a line with the status and the media type of the reply, and the detail if the reply is a problem. Rejects
 * if the connection closes before the whole reply has arrived, or if the signal is aborted.
 */
async function answerOf(server: Server, asked: AskedRequest, signal: AbortSignal): Promise<string> {
  const { method, path, body } = asked;
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  // Not `Connection: close`, because the connection could then close before the recorder sees the end of the reply.
  const headers = { Host: 'localhost', Connection: 'keep-alive', ...length, ...asked.headers } as OutgoingHttpHeaders;
  const sent = request({ method, path, headers, signal, createConnection: () => connectInMemory(server) });
  const replied = once(sent, 'response');
  // The listener ignores errors, because `once` and the loop below reject with them.
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

/** Returns the detail of a problem, or a text if the problem is not JSON, because a plugin may send any body. */
function detailOf(problem: string): unknown {
  try {
    return (JSON.parse(problem) as { readonly detail?: unknown }).detail;
  } catch {
    return 'its body is not JSON';
  }
}
