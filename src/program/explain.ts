/** Prints what happens to a request and why, for `npm run explain -- GET /api/todo/x7`. */

import { logError } from '../core/log/log-line.ts';
import { app } from './app.ts';
import { USAGE } from './explain-arguments.ts';
import { explain } from './explanation.ts';
import { nameGiven } from './settings/settings.ts';
import { reportStartError } from './start-errors.ts';

const args = process.argv.slice(2);
const { env } = process;

/** From then on an uncaught error is logged, as in the service: what led to it is told. */
const composed: typeof app = async (settings, recorder) => {
  const made = await app(settings, recorder);
  process.on('uncaughtException', (error) => logError(error)).on('unhandledRejection', (error) => logError(error));
  return made;
};

try {
  console.log(args.includes('--help') || args.includes('-h') ? USAGE : await explain(args, env, composed));
} catch (error) {
  reportStartError(error, { host: '', port: 0, nameOf: (key) => nameGiven(key, args.slice(2), env) });
}
