/** `npm run explain -- GET /api/todo/x7`: prints what happens to a request and why. `--help` says what it wants. */
import { explain, USAGE } from './explanation.ts';
import { nameGiven } from './settings/settings.ts';
import { startError } from './start-errors.ts';

const args = process.argv.slice(2),
  { env } = process;

try {
  console.log(args.includes('--help') || args.includes('-h') ? USAGE : await explain(args, env));
} catch (error) {
  const { lines, exitCode } = startError(error, {
    host: '',
    port: 0,
    nameOf: (key) => nameGiven(key, args.slice(2), env),
  });
  console.error(lines.join('\n'));
  process.exitCode = exitCode;
}
