/** Tells of refusals: each to the instruments, and a limit of the whole service that is reached to the log. */
import { logError, logWarning } from '../log/log-line.ts';
import type { Instrument } from '../operations/instrument.ts';
import type { Refusal } from '../wire/connection/exchange.ts';

/** One limit is logged so often while it is reached, in milliseconds: each line would be one of a client. */
const INTERVAL = 60_000;

/** What is told of each refusal. Never throws. */
export function refusals(instruments: readonly Instrument[], warn = logWarning): (refusal: Refusal) => void {
  const warnedAt = new Map<string, number>();
  return (refusal) => {
    const { status, reason } = refusal;
    try {
      for (const instrument of instruments) instrument.refused?.(refusal);
      const now = performance.now();
      // A handler that takes too long is logged by itself, with its route.
      if (status !== 503 || reason === 'handlerTimeout' || now < (warnedAt.get(reason) ?? -INTERVAL) + INTERVAL) return;
      warnedAt.set(reason, now);
      warn(`The limit ${reason} is reached: requests are refused with 503; this is told once a minute`);
    } catch (error) {
      logError(error, refusal);
    }
  };
}
