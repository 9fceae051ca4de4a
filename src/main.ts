/** Runs the service as a process: reads the settings, serves, handles signals and sets the exit code (D32). */
import { writeSync } from 'node:fs';
import { exitAfter, stopServing } from './core/application/serve.ts';
import { formatLog, logErrorLine, logLine, logWarning } from './core/log/log-line.ts';
import { hasPage } from './extensions/swagger-page/vendored-page.ts';
import { type App, app } from './program/app.ts';
import { assertPlace } from './program/item-store.ts';
import { type Address, adminPlace, listen, originOf, removeStaleSocket } from './program/listening.ts';
import { helpText, version } from './program/settings/help.ts';
import { defaults, GivenSettings, readCopyPlaces, type Settings } from './program/settings/settings.ts';
import { commandLine } from './program/settings/sources.ts';
import { assertResolvable, reportStartError } from './program/start-errors.ts';
import { placeText } from './program/store-place.ts';

const { argv, env } = process;
const flags = argv.slice(2);
const given = new GivenSettings(flags, env);
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const;

/** Asked as early as can be: once the shell of `npm start` has ended, another process is in its place. */
const parent = process.ppid;
/** The listeners of Node, which write warnings in a format of their own. */
const warningListeners = process.listeners('warning');
let settings: Settings | undefined;
let logFormat: Settings['logFormat'];

for (const event of UNCAUGHT) process.on(event, failStart);

async function main(): Promise<void> {
  try {
    if (flags[0] === 'explain') {
      // As in the service, an uncaught error is logged: what led to it is told.
      logUncaught();
      const { explain } = await import('./program/explain.ts');
      const text = await explain(flags.slice(1), env);
      // What a file has begun, such as a timer, would keep the process.
      return void process.stdout.write(`${text}\n`, () => process.exit());
    }
    const action = commandLine(flags).action;
    if (action === 'help') return console.log(helpText());
    if (action === 'version') return console.log(version());
    if (action === 'copy-store') {
      const { from, to, settings } = readCopyPlaces(flags, env);
      const { copyStore } = await import('./program/copy-store.ts');
      const count = await copyStore(from, to, settings);
      return console.log(`Copied ${count} items from ${placeText(from)} to ${placeText(to)}`);
    }
    if (action === 'print-config') return console.log(given.text());
    // Before the settings are read: their faults are told in this format too, and so is what Node warns of.
    if (action === 'serve' && given.logFormat !== undefined) {
      logFormat = given.logFormat;
      formatLog(logFormat, { service: 'todo-item-service', pid: process.pid });
      logWarnings();
    }
    settings = given.read();
    if (action === 'health') {
      const { askHealth } = await import('./program/ask-health.ts');
      const { healthy, line } = await askHealth(settings);
      console.log(line);
      process.exit(healthy ? 0 : 1);
    }
    for (const line of given.warnings()) logWarning(line);
    if (action === 'check') {
      process.once('beforeExit', failUnsettled);
      await composed(settings, assertPlace(settings.store));
      print('ok\n');
      // What a plugin file has begun, such as a timer, would keep the process.
      process.exit(0);
    }
    // As process 1 of a container, the process gets only the signals that it handles.
    for (const signal of SIGNALS) process.on(signal, endAtOnce);
    // A listener in the place of what Node does: SIGHUP would end the process, SIGUSR1 open a debugger.
    process.on('SIGHUP', () => printLine('SIGHUP: ignored; restart the service to apply changes'));
    process.on('SIGUSR1', () => {});
    watchShell();
    await removeStaleSocket(settings.host);
    await removeStaleSocket(settings.adminHost);
    await serve(settings);
    logUncaught();
  } catch (error) {
    failStart(error);
  }
}

/** Starts the service and prints where it listens. Rejects with all faults of the hosts and of the plugins. */
async function serve(settings: Settings): Promise<void> {
  process.once('beforeExit', failUnsettled);
  const { service, application, admin } = await composed(settings);
  await application.start();
  const adminAddress = await admin?.listen();
  const address = await listen(service, settings);
  process.off('beforeExit', failUnsettled);
  stopBySignals(() => exitAfter(stopServing(service, application, settings)));
  // The last step, since a supervisor may stop the service as soon as it reads these lines. The port is 0 where a test
  // replaces `listen`; then there is no address to print.
  if (typeof address === 'string' || address.port !== 0) printAddresses(address, adminAddress, settings);
}

/** Rejects with all faults of the hosts, of the plugins, and of what else is asked before the start. */
async function composed(settings: Settings, ...further: readonly Promise<unknown>[]): Promise<App> {
  const composing = app(settings);
  const hosts: ('host' | 'adminHost')[] = adminPlace(settings) ? ['host', 'adminHost'] : ['host'];
  const resolvable = hosts.map((key) => assertResolvable(settings[key], given.nameOf(key)));
  const parts = await Promise.allSettled([...resolvable, composing, ...further]);
  const faults: unknown[] = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
  if (faults.length > 0) throw new AggregateError(faults);
  return composing;
}

/** Nothing is left to wait for, and the start has not ended: without this the process would end as if it had. */
function failUnsettled(): void {
  failStart(new Error('a plugin waits for a promise that nothing will settle; correct its file or its start'));
}

/** Before the service listens, a signal ends the process. */
const endAtOnce = (): never => process.exit(0);

/** From now on the first signal stops the service. A second one ends the process, with the code of a killed one. */
function stopBySignals(stop: () => void): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(signal === 'SIGINT' ? 130 : 143);
    isStopping = true;
    printLine(`${signal}: stopping`);
    stop();
  };
  for (const signal of SIGNALS) process.off(signal, endAtOnce).on(signal, onSignal);
}

/**
 * Stops once the shell of `npm start` has ended: npm passes a SIGTERM to that shell alone. The script cannot replace
 * the shell by `exec`, which Windows does not know.
 */
function watchShell(): void {
  if (env['npm_lifecycle_event'] !== 'start' || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.emit('SIGTERM', 'SIGTERM');
  }, 200).unref();
}

function printAddresses(address: Address, admin: Address | undefined, settings: Settings): void {
  const { basePath, staticRoot, trace } = settings;
  const base = originOf(address) + basePath;
  const adminUrl = admin === undefined ? undefined : originOf(admin);
  const page = hasPage(staticRoot) ? `Page         ${base}/swagger/ui\n` : '';
  const opening = trace === 'on' ? ' (for this machine; --trace any for everyone)' : '';
  const traced = trace === 'off' ? '' : `Trace        ${adminUrl ?? base}/trace${opening}\n`;
  const operators = adminUrl === undefined ? '' : `Admin port   ${adminUrl}\n`;
  const text = `To-do items  ${base}/api/todo\nDescription  ${base}/swagger/v1/swagger.json\n${page}${traced}${operators}`;
  print(text, { message: 'The service listens', url: base, adminUrl });
}

const printLine = (message: string): void => print(`${message}\n`, { message });

/** Writes to standard output: the text, or the members as JSON. To open it as a stream takes longer than to compose. */
function print(text: string, members: object = {}): void {
  try {
    const time = new Date().toISOString();
    writeSync(1, logFormat === 'json' ? `${logLine({ time, ...members })}\n` : text);
  } catch {
    // The service also runs while standard output is closed or full.
  }
}

/** An error ends the start. */
function failStart(error: unknown): never {
  reportStartError(error, { ...(settings ?? defaults()), nameOf: given.nameOf }, logFormat === 'json');
  process.exit();
}

/** From now on, uncaught errors and warnings are lines of the log and do not end the service. */
function logUncaught(): void {
  for (const event of UNCAUGHT) process.off(event, failStart).on(event, (error: unknown) => logErrorLine(error));
  logWarnings();
}

/** Puts a line of the log in place of what Node writes. */
function logWarnings(): void {
  if (warningListeners.length === 0) return;
  for (const listener of warningListeners.splice(0)) process.off('warning', listener);
  process.on('warning', (warning) => logWarning(String(warning)));
}

// Not awaited: the build is CommonJS, which has no top-level await. It starts a tenth faster than modules.
void main();
