/** Prints what happens to a request and why, for `npm run explain -- GET /api/todo/x7`. */
import { app } from './app.ts';
import { nameGiven } from './settings/settings.ts';
import { reportStartError } from './start-errors.ts';
import { explain } from './trace/explain/explanation.ts';
import { USAGE } from './trace/explain/question.ts';

const args = process.argv.slice(2);
const { env } = process;

try {
  console.log(args.includes('--help') || args.includes('-h') ? USAGE : await explain(args, env, app));
} catch (error) {
  reportStartError(error, { host: '', port: 0, nameOf: (key) => nameGiven(key, args.slice(2), env) });
}
