/** The edge of the process: settings in, addresses out, signals, exit codes (D32). */
import { writeSync } from 'node:fs';
import { type App, app } from './app.ts';
import { askHealth } from './ask-health.ts';
import { logError, logWarning } from './log/log-line.ts';
import { helpText } from './settings/help.ts';
import { actionOf, nameGiven, readSettings, type Settings } from './settings/settings.ts';
import { version } from './settings/version.ts';
import { assertResolvable, startError } from './start-errors.ts';

const { argv, env } = process;
const flags = argv.slice(2);
const nameOf = (key: keyof Settings): string => nameGiven(key, flags, env);

/** What nobody catches ends the start, with its line; `guard` puts the log in its place. */
let onUncaught = (error: unknown): void => fail(error);
process.on('uncaughtException', (error) => onUncaught(error)).on('unhandledRejection', (error) => onUncaught(error));

/** Those of Node itself, which write lines of their own form. */
const warningListeners = process.listeners('warning');

async function serve(settings: Settings): Promise<void> {
  // Nothing can be lost before the service listens; process 1 would not even notice a signal that nobody handles.
  let stop = (_: string): void => process.exit(0);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  const { service, application } = await composed(settings);
  await application.start();
  const { port, address, family } = await service.listen(settings.port, settings.host);
  const base = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${settings.basePath}`;

  stop = (signal) => {
    // A second one ends the process at once, with the exit code of a process that a signal ended.
    stop = (again) => process.exit(again === 'SIGINT' ? 130 : 143);
    say(`${signal}: stopping\n`);
    service
      .close(settings.shutdownGrace)
      .then(() => application.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logError(error);
          process.exit(1);
        },
      );
  };
  // Last: whoever waits for these lines may stop the service the moment it reads them. Port 0 is none: the listening was taken
  // over, by a test or a measurement that hands connections in, and nobody could follow the addresses.
  if (port !== 0)
    say(
      `To-do items  ${base}/api/todo\nDescription  ${base}/swagger/v1/swagger.json\nPage         ${base}/swagger/ui\n`,
    );
}

/** Writes to standard output without opening it as a stream, which takes longer than composing the service. */
function say(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // A closed or full standard output is no reason not to serve.
  }
}

/** The service, ready to start. Rejects with everything that is wrong with the host and the plugins, not with the first alone. */
async function composed(settings: Settings): Promise<App> {
  const [resolved, made] = await Promise.allSettled([assertResolvable(settings.host, nameOf('host')), app(settings)]);
  if (resolved.status === 'fulfilled' && made.status === 'fulfilled') return made.value;
  throw new AggregateError(
    [resolved, made].flatMap((part) => (part.status === 'rejected' ? [part.reason as unknown] : [])),
  );
}

function fail(
  error: unknown,
  { host, port }: Pick<Settings, 'host' | 'port'> = { host: '127.0.0.1', port: 8080 },
): never {
  const { lines, exitCode } = startError(error, { host, port, nameOf });
  console.error(lines.join('\n'));
  process.exit(exitCode);
}

/** Nothing that one request or one log line does may end the service for all others, or write a line that is no JSON. */
function guard(): void {
  onUncaught = (error) => logError(error);
  if (warningListeners.length === 0) return;
  for (const listener of warningListeners) process.off('warning', listener);
  process.on('warning', (warning) => logWarning(String(warning)));
}

async function main(): Promise<void> {
  let settings: Settings | undefined;
  try {
    const action = actionOf(flags);
    if (action === 'help') console.log(helpText());
    else if (action === 'version') console.log(await version());
    else {
      settings = readSettings(flags, env);
      if (action === 'health') {
        const { healthy, line } = await askHealth(settings);
        console.log(line);
        process.exit(healthy ? 0 : 1);
      }
      await serve(settings);
      guard();
    }
  } catch (error) {
    fail(error, settings);
  }
}

// Not awaited: the build is CommonJS, which cannot wait here. Measured: it serves a tenth sooner than the same as modules.
void main();
