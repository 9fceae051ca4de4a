/**
 * `npm run explain -- GET /api/todo/x7`: what every stage did with a request, and why each route did or did not take it.
 *
 * The request is really sent – through the parser, the checks and every stage, without a socket – so what is printed is what
 * happened. Flags of the service may follow (`--base-path /todo`); `--times` adds what each stage took, later ones included.
 */
import { parseArgs } from 'node:util';
import { app } from './app.ts';
import { withoutBasePath } from './http/path.ts';
import { inject } from './http/inject.ts';
import { HttpService } from './http/service.ts';
import { pipeline } from './pipeline/pipeline.ts';
import { traced, type Step } from './pipeline/traced.ts';
import { explainText } from './routing/explain-text.ts';
import { nameGiven, readSettings, SettingsError } from './settings.ts';
import { startError } from './start-errors.ts';

const USAGE = 'Cannot explain the request: give a method and a path, as in npm run explain -- GET /api/todo/42';

/** The lines of an explanation. Rejects with a `SettingsError` for arguments that make no request. */
export async function explain(args: readonly string[]): Promise<string> {
  const [method, target] = [args[0]?.toUpperCase(), args[1]];
  if (method === undefined || target === undefined || !/^[A-Z]+$/.test(method) || !target.startsWith('/')) throw new SettingsError(USAGE);
  const { values: { times } } = parseArgs({ args: args.slice(2), options: { times: { type: 'boolean' } }, strict: false });
  const settings = readSettings(args.slice(2).filter((flag) => flag !== '--times'), process.env);
  const { application } = await app(settings);
  await application.start();
  const steps: (Step & { readonly path: string })[] = [];
  const stages = traced(application.stages, (step, context) => steps.unshift({ ...step, path: context.path }));
  const service = new HttpService(pipeline(stages), { limits: settings, basePath: settings.basePath });
  const { status, headers } = await inject(service.server, { method, path: target });
  await application.stop();

  const widest = Math.max(0, ...steps.map(({ stage }) => stage.length));
  const time = (duration: number): string => (times === true ? `  ${duration.toFixed(3)} ms` : '');
  const journey = steps.map(({ stage, did, duration }) => `${stage.padEnd(widest)}  ${did}${time(duration)}\n`);
  const path = steps[0]?.path ?? withoutBasePath(target.replace(/[?#].*/, ''), settings.basePath);
  const routes = steps.length === 0 ? 'refused before any stage saw it' : explainText(application.routes.explain(method, path));
  const answer = `${status} ${headers['content-type'] ?? 'without a body'}`;
  return [journey.join(''), routes, '', answer].join('\n').trimStart();
}

try {
  console.log(await explain(process.argv.slice(2)));
} catch (error) {
  const { lines, exitCode } = startError(error, { host: '', port: 0, nameOf: (key) => nameGiven(key, process.argv.slice(4), process.env) });
  console.error(lines.join('\n'));
  process.exitCode = exitCode;
}
