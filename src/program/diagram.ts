/**
 * Prints a picture of the service without starting it, for `npm run diagram`. It takes the settings of the service.
 *
 *     npm run diagram --silent -- --metrics on > pipeline.svg
 */
import { diagramOf } from './actions/diagram.ts';
import { app } from './app.ts';
import { nameGiven, readSettings } from './settings/settings.ts';
import { reportStartError } from './start-errors.ts';

const flags = process.argv.slice(2);

try {
  const { application } = await app(readSettings(flags, process.env));
  process.stdout.write(diagramOf(application));
} catch (error) {
  reportStartError(error, { host: '', port: 0, nameOf: (key) => nameGiven(key, flags, process.env) });
}
