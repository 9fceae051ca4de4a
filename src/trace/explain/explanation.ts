/**
 * Writes the text of `npm run explain`: what every station did with a request, or which route makes a link.
 *
 * The request passes through the parser, the request validation, every stage and the writer, without a socket.
 */
import type { RunnableApplication } from '../../host/runnable-application.ts';
import { type InjectedReply, inject } from '../../http/inject.ts';
import { HttpService } from '../../http/service.ts';
import { oneLine } from '../../log/escape-controls.ts';
import { thrownMessage } from '../../log/thrown-value.ts';
import type { RouteCollection } from '../../routing/route-collection.ts';
import { limitSettings } from '../../settings/limit-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import { Recorder } from '../recording/recorder.ts';
import { routeVerdicts } from '../recording/route-verdicts.ts';
import type { Recording } from '../recording/station.ts';
import { linkText } from './link-explanation.ts';
import { laidOut, onionLines, verdictLines } from './onion-text.ts';
import { type Question, questionOf } from './question.ts';

/** Composes the service with a recorder put around its routes. */
type Compose = (settings: Settings, recorder: Recorder) => Promise<{ readonly application: RunnableApplication }>;

/**
 * The explanation, without a line feed at its end. `args` are those of the command line; `environment` holds the
 * variables of the service. Rejects with a `SettingsError` for arguments that ask nothing, and with the error of a
 * failed start.
 */
export async function explain(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  compose: Compose,
): Promise<string> {
  const question = questionOf(args, environment);
  let add: (recording: Recording) => void;
  const recorded = new Promise<Recording>((resolve) => (add = resolve));
  const recorder = new Recorder((recording) => add(recording));
  const { application } = await compose(question.settings, recorder);
  if (question.kind === 'link') return linkText(application, question);
  await application.start();
  try {
    const service = new HttpService(recorder.servable(application), { limits: limitSettings(question.settings) });
    recorder.watch(service.server);
    const { method, target: path, headers, body } = question.request;
    const failure = (error: unknown): string => `no answer: ${thrownMessage(error)}`;
    const sent = { method, path, headers, ...(body !== undefined && { body }) };
    const answer = await inject(service.server, sent).then(answerText, failure);
    // A reply is here a moment before its recording ends. What the parser refuses is not recorded.
    const recording = recorder.count === 0 ? undefined : await recorded;
    return requestText(application.routes, question, answer, recording);
  } finally {
    await application.stop();
  }
}

function requestText(
  routes: RouteCollection,
  { request, withTimes, asJson }: Extract<Question, { kind: 'request' }>,
  answer: string,
  recording: Recording | undefined,
): string {
  const { method, path } = recording?.routed ?? { method: request.method, path: pathBehind(request.target, recording) };
  const isRefused = recording === undefined || recording.refused !== undefined;
  const verdicts = isRefused ? [] : routeVerdicts(routes, method, path);
  if (asJson) return JSON.stringify({ recording, routes: verdicts, answer }, null, 2);
  if (recording === undefined) return ['· parser  refused the request', '', answer].map(oneLine).join('\n');
  const wouldHaveSaid =
    recording.routed === undefined && !isRefused
      ? ['', 'The routes were not asked. They would have said:', ...laidOut(verdictLines(verdicts, 0))]
      : [];
  const lines = [...onionLines({ recording, verdicts, withTimes }), ...wouldHaveSaid, '', answer];
  return lines.map((line) => /^ */.exec(line)![0] + oneLine(line)).join('\n');
}

/** The path that the innermost stage got, else the one that was sent. */
function pathBehind(target: string, recording: Recording | undefined): string {
  let last = recording?.stations[0];
  while (last?.stations[0] !== undefined) last = last.stations[0];
  return last?.given?.path ?? target.replace(/\?.*/, '');
}

/** The status and the media type of a reply, and the detail of a problem. */
function answerText({ status, headers, body }: InjectedReply): string {
  const type = headers['content-type'] ?? 'without a body';
  return `${status} ${type}${type === 'application/problem+json' && body !== '' ? `: ${detailOf(body)}` : ''}`;
}

/** The detail of a problem. A plugin may have made one that is not JSON. */
function detailOf(problem: string): unknown {
  try {
    return (JSON.parse(problem) as { readonly detail?: unknown }).detail;
  } catch {
    return 'its body is no JSON';
  }
}
