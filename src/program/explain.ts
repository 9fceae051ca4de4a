/**
 * Writes the text of `npm run explain`: what every station did with a request, or which route makes a link.
 *
 * The request passes through the parser, the request validation, every stage and the writer, without a socket.
 */
import { hint, oneLine } from '../extending.ts';
import { inColumns, onionLines } from '../extensions/trace/onion-text.ts';
import { type BriefReply, type RecordedAnswer, RecordedService } from '../extensions/trace/recorded-service.ts';
import { Recorder } from '../extensions/trace/recorder.ts';
import type { Station } from '../extensions/trace/recording.ts';
import { routeFacts } from '../extensions/trace/views.ts';
import type { RunnableApplication } from '../index.ts';
import { app, limitSettings } from './app.ts';
import { type Question, questionOf } from './explain-arguments.ts';
import { SettingsError } from './settings/settings.ts';

/**
 * The explanation, without a line feed at its end. `args` are those of the command line; `environment` holds the
 * variables of the service. Rejects with a `SettingsError` for arguments that ask nothing, and with the error of a
 * failed start.
 */
export async function explain(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const question = questionOf(args, environment);
  const recorder = new Recorder();
  const { application } = await app(question.settings, recorder);
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

/** Why each route was or was not taken, and the link. Throws a `SettingsError` for a name that no route has. */
function linkText(
  { routes, basePath = '' }: Pick<RunnableApplication, 'routes' | 'basePath'>,
  { name, values, ambient, asJson }: Extract<Question, { kind: 'link' }>,
): string {
  const trials = routes.explainLink(values, { ambient, ...(name !== undefined && { name }) });
  if (trials.length === 0) {
    const names = [...routes].flatMap((route) => route.name ?? []);
    throw new SettingsError(
      `Cannot explain a link to "${name}": no route has this name${hint(name!, names)}; give one of ${names.join(', ')}`,
    );
  }
  const taken = trials.find(({ accepted }) => accepted);
  const rows = [...routes].map((route) => {
    const trial = trials.find((one) => one.route === route);
    const facts = { name: '', ...routeFacts(route) };
    if (trial === undefined) return { ...facts, mark: '-', text: `not tried: its name is not ${name}` };
    if (!trial.accepted) return { ...facts, mark: '✗', text: trial.reason };
    if (trial === taken) return { ...facts, mark: '✓', text: trial.path };
    return { ...facts, mark: '-', text: 'would make one too, but an earlier route is taken' };
  });
  const link = taken?.accepted ? basePath + taken.path : undefined;
  // Without a link, what became of the values is told for a route that was asked for by its name.
  const told = (taken ?? (name === undefined ? undefined : trials[0]))?.values ?? [];
  if (asJson) {
    const facts = rows.map(({ mark, ...row }) => ({ ...row, taken: mark === '✓' }));
    return JSON.stringify({ link, values: told, routes: facts }, null, 2);
  }
  const lines = inColumns(
    rows.map(({ mark, methods, ...row }) => [`${mark} ${methods}`, row.template, row.name, row.text]),
  );
  const uses = inColumns(told.map(({ name: value, text, use }) => [value, text, use]));
  if (uses.length > 0) lines.push('', ...uses);
  return [...lines, '', link === undefined ? 'No route makes a link of these values.' : `link: ${link}`].join('\n');
}
