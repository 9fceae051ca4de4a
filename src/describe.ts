/**
 * `npm run describe`: prints the description to standard output without starting a server; `--openapi` prints OpenAPI 3.1.
 *
 * It takes the service's settings, so `npm run describe -- --base-path /todo --comments off` shows what such a service serves.
 */
import { describeOpenApi } from './api/description/describe-openapi.ts';
import { describe } from './api/description/describe-swagger.ts';
import { app, descriptionOf } from './app.ts';
import { actionOf, nameGiven, readSettings } from './settings/settings.ts';
import { startError } from './start-errors.ts';

const flags = process.argv.slice(2),
  inOpenApi = flags.includes('--openapi');
const USAGE = `Usage: npm run describe -- [--openapi] [flags of the service]

Prints the description that a service with these flags serves, without starting it.

  --openapi  prints it in OpenAPI 3.1 instead of Swagger 2.0

Example: npm run describe -- --base-path /todo --comments off
`;

try {
  if (actionOf(flags) === 'help') process.stdout.write(USAGE);
  else await print();
} catch (error) {
  const { lines, exitCode } = startError(error, {
    host: '',
    port: 0,
    nameOf: (key) => nameGiven(key, flags, process.env),
  });
  process.stderr.write(`${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}

async function print(): Promise<void> {
  const settings = readSettings(
    flags.filter((flag) => flag !== '--openapi'),
    process.env,
  );
  const {
    application: { routes },
  } = await app(settings);
  const document = (inOpenApi ? describeOpenApi : describe)(routes, descriptionOf(settings));
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
