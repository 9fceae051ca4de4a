/** Runs the service as a process: reads the settings, serves, handles signals and sets the exit code (D32). */
import { writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { stopServing } from './core/application/serve.ts';
import { logError, logWarning } from './core/log/log-line.ts';
import { hasPage } from './extensions/swagger-page/swagger-page.ts';
import { isWorker, ownArguments, runPrimary, turnOfPrimary, whenAskedToStop } from './extensions/workers/workers.ts';
import { version } from './program/actions/version.ts';
import { type App, app } from './program/app.ts';
import { askHealth } from './program/ask-health.ts';
import { copyStore, placeText } from './program/item-store.ts';
import { whenShellEnds } from './program/npm-shell.ts';
import { helpText } from './program/settings/help.ts';
import { actionOf, nameGiven, readCopyPlaces, readSettings, type Settings } from './program/settings/settings.ts';
import { assertResolvable, reportStartError } from './program/start-errors.ts';

const { argv, env } = process;
const flags = ownArguments(argv);
const nameOf = (key: keyof Settings): string => nameGiven(key, flags, env);

// An uncaught error ends the start. Once the service listens, it is logged.
let onUncaught = (error: unknown): void => failStart(error);
process.on('uncaughtException', (error) => onUncaught(error)).on('unhandledRejection', (error) => onUncaught(error));

/** The listeners of Node, which write warnings in a format of their own. */
const warningListeners = process.listeners('warning');

/** Before the service listens, a signal ends the process at once. */
let onSignal = (_signal: string): void => process.exit(0);

async function serve(settings: Settings): Promise<void> {
  // As process 1 of a container, the process gets only the signals that it handles.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onSignal(signal));
  whenShellEnds(env, () => onSignal('SIGTERM'));
  const hasPrimary = settings.workers > 1 && isWorker();
  if (settings.workers > 1 && !hasPrimary) return runWorkers(settings);
  process.once('beforeExit', failUnsettled);
  const composed = await compose(settings);
  await composed.application.start();
  const address = await composed.service.listen(settings.port, settings.host);
  process.off('beforeExit', failUnsettled);
  const stopService = () => stop(composed, settings.shutdownGrace, hasPrimary ? turnOfPrimary : undefined);
  if (hasPrimary) return obeyPrimary(stopService);
  onSignal = (signal) => {
    onSignal = exitKilled;
    print(`${signal}: stopping\n`);
    stopService();
  };
  // The last step, since a supervisor may stop the service as soon as it reads these lines. The port is 0 where a test
  // replaces `listen`; then there is no address to print.
  if (address.port !== 0) printAddresses(address, settings);
}

/** Serves with several processes. This one is the primary: it prints the addresses and passes signals on. */
function runWorkers(settings: Settings): void {
  const { workers, shutdownGrace: grace, accessLog: descriptor } = settings;
  const primary = runPrimary({
    workers,
    grace,
    descriptor,
    listening: (address) => printAddresses(address, settings),
    ended: (code) => process.exit(code),
  });
  onSignal = (signal) => {
    onSignal = (second) => {
      primary.kill();
      exitKilled(second);
    };
    print(`${signal}: stopping\n`);
    primary.stop();
  };
}

/** A terminal sends SIGINT to all processes: that is for the primary. A SIGTERM to one worker is for this one. */
function obeyPrimary(stopService: () => void): void {
  let isStopping = false;
  const stopWorker = (): void => {
    if (!isStopping) stopService();
    isStopping = true;
  };
  onSignal = (signal) => {
    if (signal === 'SIGTERM') stopWorker();
  };
  whenAskedToStop(stopWorker);
}

/** Nothing is left to wait for, and the start has not ended: without this the process would end as if it had. */
function failUnsettled(): void {
  failStart(new Error('a plugin waits for a promise that nothing will settle; correct its file or its start'));
}

/** The service, with its trace where one is asked for. Without it nothing of the trace is loaded. */
async function made(settings: Settings): Promise<App> {
  if (settings.trace === 'off') return app(settings);
  const { tracedService } = await import('./program/traced-service.ts');
  return tracedService(settings, app);
}

/** The service, ready to start. Rejects with all faults of the host and of the plugins. */
async function compose(settings: Settings): Promise<App> {
  const parts = [assertResolvable(settings.host, nameOf('host')), made(settings)] as const;
  const [resolved, composed] = await Promise.allSettled(parts);
  if (resolved.status === 'fulfilled' && composed.status === 'fulfilled') return composed.value;
  const failed = [resolved, composed].filter((part) => part.status === 'rejected');
  throw new AggregateError(failed.map(({ reason }) => reason as unknown));
}

/** Ends the service gracefully, and the process. */
function stop({ service, application }: App, grace: number, turn: (() => Promise<void>) | undefined): void {
  const fail = (error: unknown): never => {
    logError(error);
    process.exit(1);
  };
  stopServing(service, application, grace, turn).then(() => process.exit(0), fail);
}

/** A second signal ends the process at once, with the exit code of a killed process. */
const exitKilled = (signal: string): never => process.exit(signal === 'SIGINT' ? 130 : 143);

function printAddresses({ port, address, family }: AddressInfo, { basePath, staticRoot, trace }: Settings): void {
  const base = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${basePath}`;
  const page = hasPage(staticRoot) ? `Page         ${base}/swagger/ui\n` : '';
  const traced = trace === 'off' ? '' : `Trace        ${base}/trace\n`;
  print(`To-do items  ${base}/api/todo\nDescription  ${base}/swagger/v1/swagger.json\n${page}${traced}`);
}

/** Writes to standard output. Opening it as a stream takes longer than composing the service. */
function print(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    // The service also runs while standard output is closed or full.
  }
}

/** Copies the items of one store to another. Resolves with a line that says so. */
async function copied(): Promise<string> {
  const { from, to, settings } = readCopyPlaces(flags, env);
  const count = await copyStore(from, to, settings);
  return `Copied ${count} items from ${placeText(from)} to ${placeText(to)}`;
}

/** From now on, uncaught errors and warnings are lines of the log and do not end the service. */
function logUncaught(): void {
  onUncaught = (error) => logError(error);
  if (warningListeners.length === 0) return;
  for (const listener of warningListeners) process.off('warning', listener);
  process.on('warning', (warning) => logWarning(String(warning)));
}

function failStart(error: unknown, { host, port }: { host: string; port: number } = { host: '127.0.0.1', port: 8080 }) {
  reportStartError(error, { host, port, nameOf });
  process.exit();
}

async function main(): Promise<void> {
  let settings: Settings | undefined;
  try {
    const action = actionOf(flags);
    if (action === 'help') return console.log(helpText());
    if (action === 'version') return console.log(version());
    if (action === 'copy-store') return console.log(await copied());
    settings = readSettings(flags, env);
    if (action === 'health') {
      const { healthy, line } = await askHealth(settings);
      console.log(line);
      process.exit(healthy ? 0 : 1);
    }
    await serve(settings);
    logUncaught();
  } catch (error) {
    failStart(error, settings);
  }
}

// Not awaited: the build is CommonJS, which has no top-level await. It starts a tenth faster than modules.
void main();
