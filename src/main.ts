/** Runs the service as a process: reads the settings, serves, handles signals and sets the exit code (D32). */
import { writeSync } from 'node:fs';
import { exitAfter, stopServing } from './core/application/serve.ts';
import { logErrorLine, logLine, logWarning, nameProcess } from './core/log/log-line.ts';
import { type App, app } from './service/app.ts';
import { assertPlace, describedStore } from './service/item-store.ts';
import { type Address, adminPlace, listen, originOf } from './service/listening.ts';
import { quoted } from './service/quoted.ts';
import { helpText, version } from './service/settings/help.ts';
import { GivenSettings, readCopyPlaces, type Settings, SettingsError } from './service/settings/settings.ts';
import { commandLine } from './service/settings/sources.ts';
import { allOf, assertResolvable, reportStartError } from './service/start-errors.ts';

const { argv, env } = process;
const flags = argv.slice(2);
const givenSettings = new GivenSettings(flags, env);
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const UNCAUGHT = ['uncaughtException', 'unhandledRejection'] as const;

/** The parent process. Read as early as possible, because it changes when the shell of `npm start` ends. */
const parent = process.ppid;
/** Node's listeners for warnings. They do not write JSON. */
const warningListeners = process.listeners('warning');
let isJson = false;

for (const event of UNCAUGHT) process.on(event, failStart);

async function main(): Promise<void> {
  try {
    if (flags[0] === 'explain') {
      // As in the service, an uncaught error is logged and does not end the process.
      logUncaught();
      process.once('beforeExit', failUnsettled);
      const { explain } = await import('./service/explain.ts');
      const text = await explain(flags.slice(1), env);
      // The explained file may have started a timer, which would keep the process running.
      return void process.stdout.write(`${text}\n`, () => process.exit());
    }
    const action = commandLine(flags).action;
    if (action === 'help') return console.log(helpText());
    if (action === 'version') return console.log(version());
    if (action === 'copy-store') {
      const { from, to, settings } = readCopyPlaces(flags, env);
      const { copyStore } = await import('./service/copy-store.ts');
      const count = await copyStore(from, to, settings);
      return console.log(`Copied ${count} items from ${quoted(from)} to ${quoted(to)}`);
    }
    if (action === 'print-config') return console.log(givenSettings.text());
    // The format is set before the settings are read, so that errors in the settings and Node's warnings have this
    // format too. People read the output of the other actions, so it stays text (D110).
    if (action === 'serve' && givenSettings.isJson) {
      isJson = true;
      nameProcess({ service: 'todo-item-service', pid: process.pid });
      logWarnings();
    }
    const settings = givenSettings.read();
    if (action === 'health') {
      const { askHealth } = await import('./service/ask-health.ts');
      const { healthy, line } = await askHealth(settings);
      console.log(line);
      process.exit(healthy ? 0 : 1);
    }
    for (const line of givenSettings.warnings) logWarning(line);
    if (action === 'check') {
      process.once('beforeExit', failUnsettled);
      await composed(settings, assertPlace(settings.store));
      print('ok\n');
      // A plugin file may have started a timer, which would keep the process running.
      process.exit(0);
    }
    // If this is process 1 of a container, it gets only the signals that it handles.
    for (const signal of SIGNALS) process.on(signal, endAtOnce);
    // Without these listeners, SIGHUP would end the process, and SIGUSR1 would start Node's debugger.
    process.on('SIGHUP', () => printLine('SIGHUP: ignored; restart the service to apply changes'));
    process.on('SIGUSR1', () => {});
    watchShell();
    await serve(settings);
    logUncaught();
  } catch (error) {
    failStart(error);
  }
}

/** Starts the service and prints its addresses. Rejects with all errors of the hosts and of the plugins. */
async function serve(settings: Settings): Promise<void> {
  process.once('beforeExit', failUnsettled);
  const { service, application, admin, store } = await composed(settings);
  await application.start();
  const items = await describedStore(settings.store, store);
  const adminAddress = await admin?.listen();
  const address = await listen(service, settings);
  process.off('beforeExit', failUnsettled);
  stopBySignals(() => exitAfter(stopServing(service, application, settings)));
  // This is the last step, because a supervisor may stop the service as soon as it reads these lines.
  printAddresses(address, adminAddress, settings, items);
}

/** Composes the service. Rejects with all errors of the hosts, of the plugins and of `further`. */
async function composed(settings: Settings, ...further: readonly Promise<unknown>[]): Promise<App> {
  const composing = app(settings);
  const hosts: ('host' | 'adminHost')[] = adminPlace(settings) ? ['host', 'adminHost'] : ['host'];
  const resolvable = hosts.map((key) => assertResolvable(settings[key], givenSettings.nameOf(key)));
  await allOf<unknown>([...resolvable, composing, ...further]);
  return composing;
}

/** Fails a start that waits but has no pending event. Without this, the process would end with exit code 0. */
function failUnsettled(): void {
  const cause = 'a file or a plugin waits for a promise that never settles; correct the file or the start';
  failStart(new SettingsError(`Cannot start: ${cause}`));
}

/** Ends the process if a signal comes before the service listens. */
const endAtOnce = (): never => process.exit(0);

/** From now on, the first signal stops the service. A second signal ends the process as a signal kills a process. */
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
 * Stops the service when the shell of `npm start` has ended, because npm passes a SIGTERM only to that shell. The
 * script cannot replace the shell with `exec`, because Windows does not have it.
 */
function watchShell(): void {
  if (env['npm_lifecycle_event'] !== 'start' || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.emit('SIGTERM', 'SIGTERM');
  }, 200).unref();
}

function printAddresses(address: Address, admin: Address | undefined, settings: Settings, items: string): void {
  const { basePath, trace } = settings;
  const base = originOf(address) + basePath;
  const adminUrl = admin === undefined ? undefined : originOf(admin);
  const opening = trace === 'on' ? ' (for this machine; --trace any for everyone)' : '';
  const traced = trace === 'off' ? '' : `Trace        ${adminUrl ?? base}/trace${opening}\n`;
  const operators = adminUrl === undefined ? '' : `Admin port   ${adminUrl}\n`;
  const text = `To-do items  ${base}/api/todo\nDescription  ${base}/swagger/v1/swagger.json\nPage         ${base}/swagger/ui\nItems        ${items}\n`;
  print(text + traced + operators, { message: 'The service listens', url: base, adminUrl, items });
}

const printLine = (message: string): void => print(`${message}\n`, { message });

/** Writes the text, or the members as JSON, to standard output. Opening `process.stdout` takes too long for this. */
function print(text: string, members: object = {}): void {
  try {
    writeSync(1, isJson ? `${logLine(members)}\n` : text);
  } catch {
    // The service also runs while standard output is closed or full.
  }
}

/** Reports an error of the start and ends the process. */
function failStart(error: unknown): never {
  reportStartError(error, givenSettings.nameOf, isJson);
  process.exit();
}

/** From now on, uncaught errors and warnings are logged and do not end the service. */
function logUncaught(): void {
  for (const event of UNCAUGHT) process.off(event, failStart).on(event, (error: unknown) => logErrorLine(error));
  logWarnings();
}

/** Logs warnings in place of Node's listeners. */
function logWarnings(): void {
  if (warningListeners.length === 0) return;
  for (const listener of warningListeners.splice(0)) process.off('warning', listener);
  process.on('warning', (warning) => logWarning(String(warning)));
}

// The build is CommonJS, which starts a tenth faster than ES modules but has no top-level await. An old Node can read
// its first lines, and prints which version it needs (D88).
void main();
