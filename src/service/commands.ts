/** Runs `npm run describe`, which prints the description, and `npm run settings`, which updates a page. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describeOpenApi } from '../plugins/description/describe-openapi.ts';
import { describe } from '../plugins/description/describe-swagger.ts';
import { app, descriptionSettings } from './app.ts';
import { helpText } from './settings/help.ts';
import { GivenSettings, readSettings } from './settings/settings.ts';
import { reportStartError } from './start-errors.ts';

const DESCRIBE_USAGE = `Usage: npm run describe -- [--openapi] [flags of the service]

Prints the description that a service with these flags would serve. Does not start the service.

  --openapi  prints OpenAPI 3.1 instead of Swagger 2.0

Example: npm run describe -- --base-path /todo --comments off`;

const { env } = process;
const [command, ...args] = process.argv.slice(2);

async function described(): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return DESCRIBE_USAGE;
  const flags = args.filter((flag) => flag !== '--openapi');
  const settings = readSettings(flags, env);
  const { routes, basePath } = (await app(settings)).application;
  const write = flags.length < args.length ? describeOpenApi : describe;
  return JSON.stringify(write(routes, { basePath, ...descriptionSettings(settings) }), null, 2);
}

/** Updates the output of `--help` on the page of settings. The introduction of the page stays. */
function writeSettings(): string {
  const page = new URL('../guide/operate/settings.md', import.meta.url);
  const [introduction] = readFileSync(page, 'utf8').split(/^```/m, 1);
  writeFileSync(page, `${introduction}\`\`\`\n${helpText()}\n\`\`\`\n`);
  return 'src/guide/operate/settings.md is up to date';
}

try {
  process.stdout.write(`${command === 'settings' ? writeSettings() : await described()}\n`);
} catch (error) {
  reportStartError(error, new GivenSettings(args, env).nameOf);
}
