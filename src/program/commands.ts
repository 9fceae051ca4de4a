/** Runs what npm offers beside the service: `npm run describe` and `npm run settings`. */
import { describeOpenApi } from '../extensions/description/describe-openapi.ts';
import { describe } from '../extensions/description/describe-swagger.ts';
import { app, descriptionSettings } from './app.ts';
import { settingsTable } from './settings/help.ts';
import { defaults, givenSettings, readSettings } from './settings/settings.ts';
import { reportStartError } from './start-errors.ts';

const DESCRIBE_USAGE = `Usage: npm run describe -- [--openapi] [flags of the service]

Prints the description that a service with these flags serves, without starting it.

  --openapi  prints it in OpenAPI 3.1 instead of Swagger 2.0

Example: npm run describe -- --base-path /todo --comments off`;

const { env } = process;
const [command = '', ...args] = process.argv.slice(2);

/** Each prints a text. They take the flags of the service. */
const COMMANDS: Readonly<Record<string, () => string | Promise<string>>> = {
  async describe() {
    if (args.includes('--help') || args.includes('-h')) return DESCRIBE_USAGE;
    const settings = readSettings(
      args.filter((flag) => flag !== '--openapi'),
      env,
    );
    const { routes, basePath } = (await app(settings)).application;
    const write = args.includes('--openapi') ? describeOpenApi : describe;
    return JSON.stringify(write(routes, { basePath, ...descriptionSettings(settings) }), null, 2);
  },
  settings: settingsTable,
};

try {
  process.stdout.write(`${await COMMANDS[command]!()}\n`);
} catch (error) {
  reportStartError(error, { ...defaults(), nameOf: givenSettings(args, env).nameOf });
}
