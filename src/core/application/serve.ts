/** Serves an application in one call: starts the application, listens, and later stops both in order (D77). */
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_TIMER } from '../http/limits.ts';
import { logErrorLine } from '../log/log-line.ts';
import { assertOptions, quoted } from '../options/assert-options.ts';
import { HttpService, type ServiceOptions } from '../server/service.ts';
import type { RunnableApplication } from './application.ts';
import { APPLICATION_OPTIONS } from './application-options.ts';

/** Options for serving an application. Pass the options of the application itself to `application(…)`. */
export interface ServeOptions extends Pick<ServiceOptions, 'limits' | 'tls'> {
  /** The port; 8080 by default. With 0, the system selects a free port. */
  readonly port?: number | undefined;
  /** The address to listen on; `127.0.0.1` by default. */
  readonly host?: string | undefined;
  /** Milliseconds for running requests at a stop; 8000 by default. Plugins get the remaining time, at least 1000. */
  readonly shutdownGrace?: number | undefined;
  /**
   * Milliseconds for which a stop still accepts and answers requests; 0 by default. During this time `service.ready` is
   * false, and each reply has `Connection: close`, so that a load balancer notices the stop.
   */
  readonly drainDelay?: number | undefined;
  /**
   * Signals that stop the service and end the process, such as `['SIGTERM', 'SIGINT']`; none by default. A signal before
   * the service listens or during its stop ends the process at once, with the code 128 and the number of the signal.
   */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
}

/** An application that is served. */
export interface Serving {
  /** The address with scheme, port and base path: `http://127.0.0.1:8080/tools`. */
  readonly url: string;
  readonly service: HttpService;
  /**
   * Waits for the `drainDelay`, aborts `stopping` of the application, ends open streams, answers the running requests,
   * stops the plugins, and resolves. Later calls return the same promise. Rejects if a plugin fails to stop. Reports a
   * plugin that takes too long.
   */
  close(): Promise<void>;
}

/**
 * Starts the application and listens. If a plugin cannot start, if the port is in use, or if the certificate is
 * invalid, it stops everything again and rejects.
 *
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const { url, close } = await serve(application([hello], { basePath: '/tools' }), { port: 0 });
 */
export async function serve(application: RunnableApplication, options: ServeOptions = {}): Promise<Serving> {
  assertServing(application, options);
  const { port = 8080, host = '127.0.0.1', shutdownGrace = 8000, drainDelay = 0, signals = [], ...settings } = options;
  const service = new HttpService(application, settings);
  let endsAtOnce = true;
  const onSignal = (_signal: NodeJS.Signals, number: number): void => {
    if (endsAtOnce) process.exit(128 + number);
    exitAfter(close());
  };
  // The handlers stay until the end of the stop: process 1 of a container gets only the signals that it handles.
  const ignoreSignals = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  let address: AddressInfo;
  try {
    await application.start();
    address = await service.listen(port, host);
  } catch (error) {
    ignoreSignals();
    await application.stop();
    throw error;
  }
  endsAtOnce = false;
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    endsAtOnce = true;
    return (closed ??= stopServing(service, application, { shutdownGrace, drainDelay }).finally(ignoreSignals));
  };
  const scheme = options.tls === undefined ? 'http' : 'https';
  return { url: urlOf(address, scheme) + (application.basePath ?? ''), service, close };
}

/** The minimum time for all plugins together to stop, in milliseconds. */
const MIN_STOP_TIME = 1000;

/** After `drainDelay`, closes the service and then stops the plugins, within `shutdownGrace`; both in milliseconds. */
export async function stopServing(
  service: HttpService,
  application: RunnableApplication,
  { shutdownGrace: grace, drainDelay }: { readonly shutdownGrace: number; readonly drainDelay: number },
): Promise<void> {
  if (drainDelay > 0) {
    service.drain();
    await wait(drainDelay);
  }
  // Plugins now close their upgraded connections. `service.close` waits for these connections.
  application.beginStop();
  const began = performance.now();
  await service.close(grace);
  await application.stop(Math.max(grace - (performance.now() - began), MIN_STOP_TIME));
}

/**
 * Ends the process after the stop: with 0, or with 1 if the stop failed. A plugin that takes too long is only logged
 * (D32).
 */
export function exitAfter(stopped: Promise<void>): void {
  const failed = (error: unknown): never => {
    logErrorLine(error);
    process.exit(1);
  };
  stopped.then(() => process.exit(0), failed);
}

export const urlOf = ({ address, family, port }: AddressInfo, scheme: 'http' | 'https'): string =>
  `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

function assertServing(application: RunnableApplication, options: ServeOptions): void {
  const throwIf = (isWrong: boolean, fault: string): void => {
    if (isWrong) throw new TypeError(`Cannot serve ${fault}`);
  };
  const remedy = 'write serve(application([…])); new HttpService(handler) serves a handler';
  throwIf(typeof application?.start !== 'function', `a value that is not an application: ${remedy}`);
  const misplaced = APPLICATION_OPTIONS.find((name) => Object(options)[name] !== undefined);
  const place = `it belongs to the application; write application(plugins, { ${misplaced} })`;
  throwIf(misplaced !== undefined, `with the option "${misplaced}": ${place}`);
  assertOptions('serve', options, ['port', 'host', 'limits', 'tls', 'shutdownGrace', 'drainDelay', 'signals']);
  const { shutdownGrace = 0, drainDelay = 0, signals = [] } = options;
  const isTime = typeof shutdownGrace === 'number' && shutdownGrace >= 0;
  throwIf(!isTime, `with the shutdownGrace ${quoted(shutdownGrace)}: give milliseconds, a number of 0 or more`);
  const isDelay = typeof drainDelay === 'number' && drainDelay >= 0 && drainDelay <= MAX_TIMER;
  throwIf(!isDelay, `with the drainDelay ${quoted(drainDelay)}: give milliseconds, 0 to ${MAX_TIMER}`);
  const wrong = Array.isArray(signals) ? signals.find((name) => !Object.hasOwn(constants.signals, name)) : signals;
  throwIf(wrong !== undefined, `with the signals ${quoted(wrong)}: give a list such as ['SIGTERM', 'SIGINT']`);
}
