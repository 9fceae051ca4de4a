/**
 * Writes the text of `npm run explain`: what every station did with a request, or which route makes a link.
 *
 * The request passes through the parser, the request validation, every stage and the writer, without a socket.
 */

import { oneLine } from '../../extending.ts';
import { onionLines } from '../../extensions/trace/explain/onion-text.ts';
import {
  type BriefReply,
  type RecordedAnswer,
  RecordedService,
} from '../../extensions/trace/recording/recorded-service.ts';
import { Recorder } from '../../extensions/trace/recording/recorder.ts';
import type { Station } from '../../extensions/trace/views/station.ts';
import type { RunnableApplication } from '../../index.ts';
import { limitSettings } from '../settings/limit-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { linkText } from './link-explanation.ts';
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
  const recorder = new Recorder();
  const { application } = await compose(question.settings, recorder);
  if (question.kind === 'link') return linkText(application, question);
  await application.start();
  try {
    const service = new RecordedService(application, recorder, limitSettings(question.settings));
    return requestText(question, await service.ask(question.request));
  } finally {
    await application.stop();
  }
}

function requestText(
  { withTimes, asJson }: Extract<Question, { kind: 'request' }>,
  { answer: reply, recording: finished }: RecordedAnswer,
): string {
  const told = typeof reply === 'string' ? reply : answerText(reply);
  const answer = finished?.hide(told) ?? told;
  const recording = finished?.whole();
  if (asJson) return JSON.stringify({ recording, answer }, null, 2);
  if (recording === undefined) return ['· parser  refused the request', '', answer].map(oneLine).join('\n');
  const isUnasked = recording.refused === undefined && !haveAsked(recording.stations);
  const unasked = isUnasked ? ['', 'The routes were not asked.'] : [];
  const lines = [...onionLines({ recording, withTimes }), ...unasked, '', answer];
  return lines.map((line) => /^ */.exec(line)![0] + oneLine(line)).join('\n');
}

const haveAsked = (stations: readonly Station[]): boolean =>
  stations.some((one) => one.routes !== undefined || haveAsked(one.stations));

/** The status and the media type of a reply, and the detail of a problem. */
function answerText({ status, type = 'without a body', body }: BriefReply): string {
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
