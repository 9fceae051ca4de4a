/** Tells of refusals: each to the plugins, and to the log that a limit of the service is reached, and over. */
import { logError, logInfo, logWarning } from '../log/log-line.ts';
import type { Refusal } from '../wire/connection/exchange.ts';
import type { Plugin } from './plugin.ts';

/** One limit is logged so often while it is reached, in milliseconds: each line would be one of a client. */
const INTERVAL = 60_000;

/** What is told of each refusal. Never throws. */
export function refusals(plugins: readonly Plugin[], warn = logWarning): (refusal: Refusal) => void {
  /** When each limit was reached last, and when that was logged last, until it is over. */
  const reached = new Map<string, { last: number; logged: number }>();
  const watch = (reason: string, delay: number): void => {
    const check = (): void => {
      const left = reached.get(reason)!.last + INTERVAL - performance.now();
      if (left > 0) return watch(reason, left);
      reached.delete(reason);
      logInfo(`The limit ${reason} has not been reached for a minute`);
    };
    setTimeout(check, delay).unref();
  };
  return (refusal) => {
    const { status, reason } = refusal;
    try {
      for (const plugin of plugins) plugin.refused?.(refusal);
      // A handler that takes too long is logged by itself, with its route.
      if (status !== 503 || reason === 'handlerTimeout') return;
      const now = performance.now();
      const known = reached.get(reason);
      if (known === undefined) watch(reason, INTERVAL);
      const isLogged = known !== undefined && now < known.logged + INTERVAL;
      reached.set(reason, { last: now, logged: isLogged ? known.logged : now });
      if (isLogged) return;
      warn(`The limit ${reason} is reached: requests are refused with 503; this is told once a minute`);
    } catch (error) {
      logError(error, refusal);
    }
  };
}
