/**
 * Writes the text of `npm run explain`: what each stage did, why each route matched or not, and the reply.
 *
 * The request passes through the parser, the request validation and every stage, without a socket.
 */
import { app } from './app.ts';
import { refuseThrough } from './host/application.ts';
import type { RunnableApplication } from './host/runnable-application.ts';
import { stageLabel } from './host/stage-origin.ts';
import { type InjectedReply, inject } from './http/inject.ts';
import type { Context } from './http/message/context.ts';
import { HttpService } from './http/service.ts';
import { oneLine } from './log/escape-controls.ts';
import { thrownMessage } from './log/thrown-value.ts';
import { pipeline } from './pipeline/pipeline.ts';
import { type Step, traced } from './pipeline/traced.ts';
import { explainText } from './routing/explain-text.ts';
import { limitSettings } from './settings/limit-settings.ts';
import { readSettings, type Settings, SettingsError } from './settings/settings.ts';

const EXAMPLE = 'npm run explain -- GET /api/todo/42';

/** The help text of `npm run explain`. */
export const USAGE = `Usage: npm run explain -- METHOD PATH [--times] [flags of the service]

Sends one request through the service and prints what each stage did with it, why each route did or did not take it, and
what was answered. It has no body and no header lines of its own.

  METHOD   GET or any other but CONNECT
  PATH     begins with a slash, is percent-encoded, may have a query; without scheme and host
  --times  adds the milliseconds that each stage took, later ones included

Example: ${EXAMPLE}`;

/** A request to explain, and the settings of the service that answers it. */
type Question = ReturnType<typeof questionOf>;
type TracedStep = Step & { readonly path: string };

/**
 * The explanation, without a line feed at its end. `args` are a method, a path and flags; `environment` holds the
 * variables of the service. Rejects with a `SettingsError` for arguments that are no request, and with the error of a
 * failed start.
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

function questionOf([given, target, ...flags]: readonly string[], environment: NodeJS.ProcessEnv) {
  if (given === undefined)
    throw new SettingsError(`Cannot explain a request: none was given; give a method and a path, as in ${EXAMPLE}`);
  const method = given.toUpperCase();
  const fault = methodFault(given) ?? targetFault(target);
  if (fault !== undefined) {
    const asked = JSON.stringify(target === undefined ? given : `${given} ${target}`);
    throw new SettingsError(`Cannot explain ${asked}: ${fault}, as in ${EXAMPLE}`);
  }
  const serviceFlags = flags.filter((flag) => flag !== '--times');
  const settings = readSettings(serviceFlags, environment);
  return { method, target: target!, withTimes: flags.includes('--times'), settings };
}

function methodFault(method: string): string | undefined {
  if (!/^[a-z]+$/i.test(method)) return 'it does not begin with a method; give one and a path, then flags';
  return method.toUpperCase() === 'CONNECT' ? 'CONNECT asks for no path; give another method' : undefined;
}

function targetFault(target: string | undefined): string | undefined {
  if (target === undefined) return 'it has no path; give one behind the method';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) return 'it has a whole URL; give its path alone';
  if (target.startsWith('-')) return 'its path is missing; give it before the flags';
  if (!target.startsWith('/')) return 'its path does not begin with a slash; put one in front';
  return /^[!-~]+$/.test(target) ? undefined : 'its path has a character that no request carries; percent-encode it';
}

async function explained(application: RunnableApplication, question: Question): Promise<string> {
  const { method, target, withTimes, settings } = question;
  const steps: TracedStep[] = [];
  const service = tracedService(application, settings, steps);
  const failure = (error: unknown): string => `no answer: ${thrownMessage(error)}`;
  const answer = await inject(service.server, { method, path: target }).then(answerText, failure);
  const widest = Math.max(0, ...steps.map(({ stage }) => stage.length));
  const timeOf = ({ duration }: Step): string => (withTimes ? `  ${duration.toFixed(3)} ms` : '');
  const stages = steps.map((step) => `${step.stage.padEnd(widest)}  ${outcomeOf(step)}${timeOf(step)}`);
  return [...stages, '', ...routeLines(application, method, steps), '', answer].map(oneLine).join('\n').trim();
}

/** A service that records what each stage does, the outermost stage first. */
function tracedService(application: RunnableApplication, settings: Settings, steps: TracedStep[]): HttpService {
  const record = (step: Step, { path }: Context): unknown => steps.unshift({ ...step, path });
  const stages = traced(application.stages, record, application.stageOrigins.map(stageLabel));
  const refuse = refuseThrough(stages.slice(0, outerStageCount(application)));
  return new HttpService(pipeline(stages), { limits: limitSettings(settings), basePath: settings.basePath, refuse });
}

/** The outer stages come before `problems`, the first stage that belongs to no plugin. */
const outerStageCount = ({ stageOrigins }: RunnableApplication): number =>
  stageOrigins.findIndex(({ plugin }) => plugin === undefined);

/** Why each route matched or not. A stage may pass on another path; the path is the one that the routes got. */
function routeLines(application: RunnableApplication, method: string, steps: readonly TracedStep[]): readonly string[] {
  const labels = application.stageOrigins.map(stageLabel);
  const routing = steps.find(({ stage }) => stage === labels.at(-1));
  const problems = steps.find(({ stage }) => stage === labels[outerStageCount(application)]);
  const last = routing ?? problems;
  if (last === undefined) return ['The request was refused before the routes were asked.'];
  const trials = explainText(application.routes.explain(method, last.path)).split('\n');
  return routing === undefined ? ['The routes were not asked. They would have said:', ...trials] : trials;
}

const outcomeOf = ({ did, status }: Step): string => (did === 'caught' ? `caught an error, answered ${status}` : did);

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
