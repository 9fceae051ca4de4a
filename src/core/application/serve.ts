/** Serves an application in one call: starts it, listens, and stops both in the right order (D77). */
import type { AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { logErrorLine } from '../log/log-line.ts';
import { assertOptions, quoted } from '../options/assert-options.ts';
import { MAX_TIMER } from '../wire/connection/limits.ts';
import { HttpService, type ServiceOptions } from '../wire/service.ts';
import type { RunnableApplication } from './application.ts';
import { APPLICATION_OPTIONS } from './application-options.ts';

/** Where and how an application is served. The options of the application itself are those of `application(…)`. */
export interface ServeOptions extends Pick<ServiceOptions, 'limits' | 'tls'> {
  /** 8080 unless given; 0 is any free port. */
  readonly port?: number | undefined;
  /** The address to listen on; `127.0.0.1` unless given. */
  readonly host?: string | undefined;
  /**
   * Milliseconds that a stop waits for requests that run; the plugins have what is left of it, 1000 at least. 8000
   * unless given.
   */
  readonly shutdownGrace?: number | undefined;
  /**
   * Milliseconds for which a stop goes on to accept and answer, while `service.ready` is false and each reply says
   * `Connection: close`: a balancer has the time to see it. 0 unless given.
   */
  readonly drainDelay?: number | undefined;
  /** Signals that stop the service and end the process, as `['SIGTERM', 'SIGINT']`; none unless given. */
  readonly signals?: readonly NodeJS.Signals[] | undefined;
}

/** An application that is served. */
export interface Serving {
  /** The address with scheme, port and base path: `http://127.0.0.1:8080/tools`. */
  readonly url: string;
  readonly service: HttpService;
  /**
   * Waits for the `drainDelay`, aborts `stopping` of the application, ends open streams, answers the requests that run,
   * stops the plugins, and resolves. Later calls return the same promise. Rejects if a plugin fails to stop. A
   * plugin that takes too long is reported.
   */
  close(): Promise<void>;
}

/**
 * Starts the application and listens. Rejects, with everything stopped again, where a plugin cannot start, the port is
 * taken or the certificate cannot be used.
 *
 *     const hello: Plugin = { name: 'hello', routes: [route({ path: 'hello', handle: () => text('Hello') })] };
 *     const { url, close } = await serve(application([hello], { basePath: '/tools' }), { port: 0 });
 */
export async function serve(application: RunnableApplication, options: ServeOptions = {}): Promise<Serving> {
  assertServing(application, options);
  const { port = 8080, host = '127.0.0.1', shutdownGrace = 8000, drainDelay = 0, signals = [], ...settings } = options;
  const service = new HttpService(application, settings);
  await application.start();
  let address: AddressInfo;
  try {
    address = await service.listen(port, host);
  } catch (error) {
    await application.stop();
    throw error;
  }
  let closed: Promise<void> | undefined;
  const onSignal = (): void => exitAfter(close());
  const close = (): Promise<void> => {
    for (const signal of signals) process.off(signal, onSignal);
    return (closed ??= stopServing(service, application, { shutdownGrace, drainDelay }));
  };
  for (const signal of signals) process.on(signal, onSignal);
  const scheme = options.tls === undefined ? 'http' : 'https';
  return { url: urlOf(address, scheme) + (application.basePath ?? ''), service, close };
}

/** The least time that all plugins together have to stop, in milliseconds. */
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
  // Plugins end the upgraded connections that they have taken, and the service waits for them.
  application.beginStop();
  const began = performance.now();
  await service.close(grace);
  await application.stop(Math.max(grace - (performance.now() - began), MIN_STOP_TIME));
}

/** Ends the process once the service has stopped: with 0, or with 1 where it could not stop cleanly. */
export function exitAfter(stopped: Promise<void>): void {
  const failed = (error: unknown): never => {
    logErrorLine(error);
    process.exit(1);
  };
  stopped.then(() => process.exit(0), failed);
}

/** The address with its scheme, without a path. */
export const urlOf = ({ address, family, port }: AddressInfo, scheme: 'http' | 'https'): string =>
  `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;

/** Throws a `TypeError` with the remedy: an option of the application is refused too, and not ignored. */
function assertServing(application: RunnableApplication, options: ServeOptions): void {
  const refuseIf = (isWrong: boolean, fault: string): void => {
    if (isWrong) throw new TypeError(`Cannot serve ${fault}`);
  };
  const remedy = 'write serve(application([…])); new HttpService(handler) serves a handler';
  refuseIf(typeof application?.start !== 'function', `what is no application: ${remedy}`);
  const misplaced = APPLICATION_OPTIONS.find((name) => Object(options)[name] !== undefined);
  const place = `it belongs to the application; write application(plugins, { ${misplaced} })`;
  refuseIf(misplaced !== undefined, `with the option "${misplaced}": ${place}`);
  assertOptions('serve', options, ['port', 'host', 'limits', 'tls', 'shutdownGrace', 'drainDelay', 'signals']);
  const { shutdownGrace = 0, drainDelay = 0, signals = [] } = options;
  const isTime = typeof shutdownGrace === 'number' && shutdownGrace >= 0;
  refuseIf(!isTime, `with the shutdownGrace ${quoted(shutdownGrace)}: give milliseconds, a number of 0 or more`);
  const isDelay = typeof drainDelay === 'number' && drainDelay >= 0 && drainDelay <= MAX_TIMER;
  refuseIf(!isDelay, `with the drainDelay ${quoted(drainDelay)}: give milliseconds, 0 to ${MAX_TIMER}`);
  const wrong = Array.isArray(signals) ? signals.find((name) => !Object.hasOwn(constants.signals, name)) : signals;
  refuseIf(wrong !== undefined, `with the signals ${quoted(wrong)}: give a list such as ['SIGTERM', 'SIGINT']`);
}
