/**
 * Prints the description of the service without starting it, for `npm run describe`.
 *
 * It takes the settings of the service, and `--openapi` for OpenAPI 3.1 instead of Swagger 2.0.
 */
import { describeOpenApi } from '../extensions/description/describe-openapi.ts';
import { describe } from '../extensions/description/describe-swagger.ts';
import { app, descriptionSettings } from './app.ts';
import { actionOf, nameGiven, readSettings } from './settings/settings.ts';
import { reportStartError } from './start-errors.ts';

const flags = process.argv.slice(2);
const serviceFlags = flags.filter((flag) => flag !== '--openapi');
const USAGE = `Usage: npm run describe -- [--openapi] [flags of the service]

Prints the description that a service with these flags serves, without starting it.

  --openapi  prints it in OpenAPI 3.1 instead of Swagger 2.0

Example: npm run describe -- --base-path /todo --comments off
`;

try {
  if (actionOf(flags) === 'help') process.stdout.write(USAGE);
  else await print();
} catch (error) {
  reportStartError(error, { host: '', port: 0, nameOf: (key) => nameGiven(key, flags, process.env) });
}

async function print(): Promise<void> {
  const settings = readSettings(serviceFlags, process.env);
  const { routes, basePath, naming } = (await app(settings)).application;
  const writer = flags.includes('--openapi') ? describeOpenApi : describe;
  const document = writer(routes, { basePath, naming, ...descriptionSettings(settings) });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
