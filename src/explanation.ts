/**
 * The text of `npm run explain`: what every stage did with a request, why each route did or did not take it, what was answered.
 *
 * The request is really sent – through the parser, the checks and every stage, without a socket – so what is printed is what
 * happened.
 */
import { app } from './app.ts';
import type { RunnableApplication } from './host/application.ts';
import { stageLabel } from './host/stage-origin.ts';
import { type InjectedReply, inject } from './http/inject.ts';
import { problemReply } from './http/message/problem.ts';
import { HttpService } from './http/service.ts';
import { oneLine } from './log/escape-controls.ts';
import { thrownMessage } from './log/thrown-value.ts';
import { pipeline } from './pipeline/pipeline.ts';
import { type Step, traced } from './pipeline/traced.ts';
import { explainText } from './routing/explain-text.ts';
import { readSettings, type Settings, SettingsError } from './settings/settings.ts';

const EXAMPLE = 'npm run explain -- GET /api/todo/42';

export const USAGE = `Usage: npm run explain -- METHOD PATH [--times] [flags of the service]

Sends one request through the service and prints what each stage did with it, why each route did or did not take it, and what was
answered. It has no body and no header lines of its own.

  METHOD   GET or any other but CONNECT
  PATH     begins with a slash, is percent-encoded, may have a query; without scheme and host
  --times  adds the milliseconds that each stage took, later ones included

Example: ${EXAMPLE}`;

/** What is asked, and of which service. */
interface Question {
  readonly method: string;
  readonly target: string;
  readonly withTimes: boolean;
  readonly settings: Settings;
}

/**
 * The lines of an explanation, without a line feed at the end. `args` are a method, a path and flags; `environment` holds the variables
 * of the service. Rejects with a `SettingsError` for arguments that make no request, and with what the start of a service rejects with.
 */
export async function explain(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const question = questionOf(args, environment);
  const { application } = await app(question.settings);
  await application.start();
  try {
    return await explained(application, question);
  } finally {
    await application.stop();
  }
}

function questionOf([given, target, ...flags]: readonly string[], environment: NodeJS.ProcessEnv): Question {
  const refusal = (
    cause: string,
    asked = [given, target].filter((text) => text !== undefined).join(' '),
  ): SettingsError => new SettingsError(`Cannot explain ${JSON.stringify(asked)}: ${cause}, as in ${EXAMPLE}`);
  if (given === undefined)
    throw new SettingsError(`Cannot explain a request: none was given; give a method and a path, as in ${EXAMPLE}`);
  if (!/^[a-z]+$/i.test(given)) throw refusal('it does not begin with a method; give one and a path, then flags');
  const method = given.toUpperCase();
  if (method === 'CONNECT') throw refusal('CONNECT asks for no path; give another method');
  if (target === undefined) throw refusal('it has no path; give one behind the method');
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) throw refusal('it has a whole URL; give its path alone');
  if (!target.startsWith('/'))
    throw refusal(
      target.startsWith('-')
        ? 'its path is missing; give it before the flags'
        : 'its path does not begin with a slash; put one in front',
    );
  if (!/^[!-~]+$/.test(target)) throw refusal('its path has a character that no request carries; percent-encode it');
  const settings = readSettings(
    flags.filter((flag) => flag !== '--times'),
    environment,
  );
  return { method, target, withTimes: flags.includes('--times'), settings };
}

type TracedStep = Step & { readonly path: string };

async function explained(
  application: RunnableApplication,
  { method, target, withTimes, settings }: Question,
): Promise<string> {
  const steps: TracedStep[] = [],
    labels = application.stageOrigins.map(stageLabel);
  const stages = traced(application.stages, (step, context) => steps.unshift({ ...step, path: context.path }), labels);
  const outer = stages.slice(
    0,
    application.stageOrigins.findIndex(({ plugin }) => plugin === undefined),
  );
  const service = new HttpService(pipeline(stages), {
    limits: settings,
    basePath: settings.basePath,
    refuse: (context, { status, message, extra }) =>
      pipeline(outer, () => problemReply(context, status, message, extra))(context),
  });
  const answer = await inject(service.server, { method, path: target }).then(
    answerText,
    (error) => `no answer: ${thrownMessage(error)}`,
  );

  const widest = Math.max(0, ...steps.map(({ stage }) => stage.length));
  const lines = steps.map(
    (step) => `${step.stage.padEnd(widest)}  ${outcomeOf(step)}${withTimes ? `  ${step.duration.toFixed(3)} ms` : ''}`,
  );
  // A stage may pass on another path than it was asked: the routes saw the last one.
  const routing = steps.find(({ stage }) => stage === labels.at(-1)),
    inside = steps.find(({ stage }) => stage === labels[outer.length]);
  const asked = routing ?? inside;
  if (asked === undefined) lines.push('', 'The request was refused before the routes were asked.');
  else {
    const trials = explainText(application.routes.explain(method, asked.path)).split('\n');
    lines.push('', ...(routing === undefined ? [UNASKED] : []), ...trials);
  }
  return [...lines, '', answer].map(oneLine).join('\n').trim();
}

const UNASKED = 'The routes were not asked. They would have said:';

const outcomeOf = ({ did, status }: Step): string => (did === 'caught' ? `caught an error, answered ${status}` : did);

/** Status and media type, with the detail where it is a problem. */
function answerText({ status, headers, body }: InjectedReply): string {
  const type = headers['content-type'] ?? 'without a body';
  return `${status} ${type}${type === 'application/problem+json' && body !== '' ? `: ${detailOf(body)}` : ''}`;
}

/** The detail of a problem; a plugin may have made one that is no JSON. */
function detailOf(problem: string): unknown {
  try {
    return (JSON.parse(problem) as { readonly detail?: unknown }).detail;
  } catch {
    return 'its body is no JSON';
  }
}
