/** Reports refused requests: each one to the plugins, and to the log which limit of the service refuses them. */
import { logErrorLine, logInfo, logWarning } from '../log/log-line.ts';
import type { Refusal } from '../wire/connection/exchange.ts';
import type { Plugin } from './plugin.ts';

/** A limit is logged at most once in this many milliseconds: clients could fill the log otherwise. */
const INTERVAL = 60_000;

/** Returns the function that reports a refusal. That function never throws. */
export function refusals(plugins: readonly Plugin[], warn = logWarning): (refusal: Refusal) => void {
  /** For each limit that is reached: when it was logged last, and the timer that logs its end. */
  const reached = new Map<string, { readonly logged: number; readonly over: NodeJS.Timeout }>();
  return (refusal) => {
    const { status, reason } = refusal;
    try {
      for (const plugin of plugins) plugin.refused?.(refusal);
      // A handler that takes too long is logged by itself, with its route.
      if (status !== 503 || reason === 'handlerTimeout') return;
      const known = reached.get(reason);
      clearTimeout(known?.over);
      const end = (): void => {
        reached.delete(reason);
        logInfo(`The limit ${reason} has not been reached for a minute`);
      };
      const now = performance.now();
      const isLogged = known !== undefined && now < known.logged + INTERVAL;
      reached.set(reason, { logged: isLogged ? known.logged : now, over: setTimeout(end, INTERVAL).unref() });
      if (isLogged) return;
      warn(`The limit ${reason} is reached: requests are refused with 503; this is told once a minute`);
    } catch (error) {
      logErrorLine(error, refusal);
    }
  };
}
