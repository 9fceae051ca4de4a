/**
 * Sends one request through an application with a recorder, without a socket, and returns the recording. The
 * application is composed again for that, so that the one in its file stays as it is (D92, D96).
 */
import { application, type RunnableApplication } from '../../core/application/application.ts';
import type { Plugin } from '../../core/application/plugin.ts';
import { logError } from '../../core/http/error-log.ts';
import { attempt, thrownMessage } from '../../core/log/thrown-value.ts';
import { requester, type SentRequest } from '../../core/server/in-memory.ts';
import type { ListenerOptions } from '../../core/server/served.ts';
import { Recorder } from './recorder.ts';
import type { Recording } from './recording.ts';

/** The time limit of the reply in milliseconds, because a reply may never end. Also the time for plugins to stop. */
const PATIENCE = 5000;

/** The least bytes of a reply's body that are kept. The rest is read and dropped. */
const KEPT_BYTES = 64 * 1024;

/**
 * Resolves to `answer`, a line without credentials about the reply, or about the cause if no reply came. Also resolves
 * to the recording, unless the parser refused the request. Rejects if the start of a plugin fails.
 */
export async function explainedRequest(
  { plugins, options }: RunnableApplication,
  limits: ListenerOptions['limits'],
  path: string,
  asked: SentRequest,
): Promise<{ readonly answer: string; readonly recording: Recording | undefined }> {
  let recorder!: Recorder;
  let finish!: (recording: Recording) => void;
  const finished = new Promise<Recording>((resolve) => (finish = resolve));
  const explain: Plugin = {
    name: 'explain',
    parts({ routes }) {
      recorder = new Recorder('explain', routes, finish);
      return recorder.parts;
    },
  };
  // The warnings are dropped, because the first composition of the application has already printed them.
  const watched = application([explain, ...plugins], { ...options, warn: () => {} });
  await watched.start();
  try {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), PATIENCE);
    const failed = (error: unknown): string =>
      `no answer: ${leaving.signal.aborted ? `not complete within ${PATIENCE / 1000} s` : thrownMessage(error)}`;
    const ask = requester(() => watched, limits);
    const answer = await ask(path, { ...asked, signal: leaving.signal })
      .then(answerOf)
      .catch(failed);
    clearTimeout(timer);
    if (recorder.count === 0) return { answer, recording: undefined };
    // Waits for the recording, which ends a moment after the reply has arrived.
    return { answer, recording: await finished };
  } finally {
    await watched.stop(PATIENCE).catch(logError);
  }
}

/** Reads the reply. Resolves to a line with its status and its media type, and the detail if it is a problem. */
async function answerOf({ status, headers, body }: Response): Promise<string> {
  let kept = Buffer.alloc(0);
  for await (const chunk of body ?? []) if (kept.length < KEPT_BYTES) kept = Buffer.concat([kept, chunk as Uint8Array]);
  const type = headers.get('Content-Type');
  const without = kept.length === 0 ? 'without a body' : 'with a body without a Content-Type';
  if (type !== 'application/problem+json' || kept.length === 0) return `${status} ${type ?? without}`;
  // A plugin may send any body as a problem.
  return `${status} ${type}: ${attempt(() => JSON.parse(kept.toString()).detail, 'its body is not JSON')}`;
}
