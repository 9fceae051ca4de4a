/**
 * `npm run describe`: prints the description to standard output without starting a server; `--openapi` prints OpenAPI 3.1.
 *
 * It takes the service's settings, so `npm run describe -- --base-path /todo --comments off` shows what such a service serves.
 */
import { describe } from './api/describe.ts';
import { describeOpenApi } from './api/describe-openapi.ts';
import { app, descriptionOf } from './app.ts';
import { nameGiven, readSettings } from './settings.ts';
import { startError } from './start-errors.ts';

const flags = process.argv.slice(2), inOpenApi = flags.includes('--openapi');

try {
  const settings = readSettings(flags.filter((flag) => flag !== '--openapi'), process.env);
  const { application: { routes } } = await app(settings);
  const document = (inOpenApi ? describeOpenApi : describe)(routes, descriptionOf(settings));
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
} catch (error) {
  const { lines, exitCode } = startError(error, { host: '', port: 0, nameOf: (key) => nameGiven(key, flags, process.env) });
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}
