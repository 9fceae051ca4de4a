/**
 * Starts the plugins of an application in their order, and stops them in the reverse order. Reports refused requests to
 * the plugins, and logs which limit of the service refuses them.
 */
import { logErrorLine, logInfo, logWarning, MINUTE, onceAMinute } from '../log/log-line.ts';
import { thrownMessage } from '../log/thrown-value.ts';
import type { Refusal } from '../server/served.ts';
import { StopController } from '../server/stop-controller.ts';
import { type Plugin, PluginError } from './plugin.ts';

/** The minimum time for each plugin to stop, in milliseconds, even if the time for all plugins is over. */
const MIN_TIME = 100;

export function newLifecycle() {
  const started: Plugin[] = [];
  let stopping = new StopController();
  let starting: Promise<void> | undefined;

  async function startAll(plugins: readonly Plugin[]): Promise<void> {
    if (stopping.signal.aborted) stopping = new StopController();
    for (const plugin of plugins) {
      try {
        await plugin.start?.();
      } catch (error) {
        await stop().catch(() => {});
        throw new PluginError('Cannot start the plugin', plugin.name, thrownMessage(error), { cause: error });
      }
      started.push(plugin);
    }
  }

  async function stop(time = Infinity): Promise<void> {
    starting = undefined;
    stopping.abort();
    const deadline = performance.now() + time;
    const errors: unknown[] = [];
    for (const plugin of started.splice(0).reverse()) {
      let timer: NodeJS.Timeout | undefined;
      // If one plugin takes too long, the others must still be stopped.
      const late = new Promise<void>((resolve) => {
        const tooLate = (): void => {
          logErrorLine(new Error(`Cannot wait longer for the plugin "${plugin.name}": a stop may not take more time`));
          resolve();
        };
        if (time < Infinity) timer = setTimeout(tooLate, Math.max(deadline - performance.now(), MIN_TIME));
      });
      try {
        await Promise.race([plugin.stop?.(), late]);
      } catch (error) {
        const reason = thrownMessage(error);
        errors.push(new Error(`Cannot stop the plugin "${plugin.name}" cleanly: ${reason}`, { cause: error }));
      } finally {
        clearTimeout(timer);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }

  return {
    // Further calls get the same promise until `stop` is called: a second start would open all resources twice.
    start: (plugins: readonly Plugin[]): Promise<void> => (starting ??= startAll(plugins)),
    beginStop: (): void => stopping.abort(),
    stop,
    whenStopping(begin: () => void): void {
      if (stopping.signal.aborted) begin();
      else stopping.signal.addEventListener('abort', begin, { once: true });
    },
    get stopping(): AbortSignal {
      return stopping.signal;
    },
  };
}

/** Returns a function that reports a refusal to the plugins and the log. It never throws. */
export function refusals(plugins: readonly Plugin[], warn = logWarning): (refusal: Refusal) => void {
  /**
   * The limits that are reached at present, each with the timer that logs when the limit is no longer reached. Each
   * limit is logged at most once a minute: with a line for each request, a client could fill the log (D109).
   */
  const reached = new Map<string, { readonly mayLog: () => boolean; readonly over: NodeJS.Timeout }>();
  return (refusal) => {
    const { status, reason } = refusal;
    try {
      for (const plugin of plugins) plugin.refused?.(refusal);
      // A handler that takes too long is logged elsewhere, with its route.
      if (status !== 503 || reason === 'handlerTimeout') return;
      const { mayLog = onceAMinute(), over } = reached.get(reason) ?? {};
      clearTimeout(over);
      const end = (): void => {
        reached.delete(reason);
        logInfo(`The limit ${reason} has not been reached for a minute`);
      };
      reached.set(reason, { mayLog, over: setTimeout(end, MINUTE).unref() });
      if (mayLog()) warn(`The limit ${reason} is reached: requests are refused with 503; this is logged once a minute`);
    } catch (error) {
      const { method, path, requestId } = refusal;
      logErrorLine(error, { method, path, requestId });
    }
  };
}
