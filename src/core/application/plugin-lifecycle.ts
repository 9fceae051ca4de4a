/** Starts and stops the plugins of an application. */

import { thrownMessage } from '../log/thrown-value.ts';
import { Stopping } from '../wire/connection/stopping.ts';
import type { Plugin } from './plugin.ts';
import type { Application } from './runnable-application.ts';

/** What a plugin has to stop when the time of all is over, in milliseconds. */
const MIN_TIME = 100;

/** `start` and `stop` of an application with these plugins, and the signal of its stop. */
export function lifecycleOf(plugins: readonly Plugin[]) {
  const started: Plugin[] = [];
  let stopping = new Stopping();
  let starting: Promise<void> | undefined;

  /** Started once until it is stopped: a second start would open twice what the plugins open. */
  function start(application: Application): Promise<void> {
    return (starting ??= startAll(application));
  }

  async function startAll(application: Application): Promise<void> {
    if (stopping.hasBegun) stopping = new Stopping();
    for (const plugin of plugins) {
      try {
        await plugin.start?.(application);
      } catch (error) {
        await stop().catch(() => {});
        throw new Error(`Cannot start the plugin "${plugin.name}": ${thrownMessage(error)}`, { cause: error });
      }
      started.push(plugin);
    }
  }

  async function stop(time = Infinity): Promise<void> {
    starting = undefined;
    stopping.begin();
    const deadline = performance.now() + time;
    const errors: unknown[] = [];
    for (const plugin of started.splice(0).reverse()) {
      try {
        await stopWithin(plugin, Math.max(deadline - performance.now(), MIN_TIME));
      } catch (error) {
        const reason = thrownMessage(error);
        errors.push(new Error(`Cannot stop the plugin "${plugin.name}" cleanly: ${reason}`, { cause: error }));
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('; '));
  }

  return {
    start,
    stop,
    whenStopping: (begin: () => void): void => stopping.whenBegun(begin),
    get stopping() {
      return stopping.signal;
    },
  };
}

/** Stops the plugin. Rejects where that takes longer than `time` milliseconds: the others are to be stopped too. */
async function stopWithin(plugin: Plugin, time: number): Promise<void> {
  if (time === Infinity) return plugin.stop?.();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it has not stopped in the time that a stop may take')), time);
  });
  try {
    await Promise.race([plugin.stop?.(), late]);
  } finally {
    clearTimeout(timer);
  }
}
