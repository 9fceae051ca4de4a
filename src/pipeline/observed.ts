/** Reports the end of a request in the later stages, for plugins that log and count. */
import { ClientGone } from '../http/message/client-gone.ts';
import type { Context, Handler, Reply } from '../http/message/context.ts';
import { settled } from './settled.ts';

/** Is called once per request. `reply` is undefined where the later stages failed. */
export type Report = (status: number, reply: Reply | undefined) => void;

/**
 * Returns what `next` returns, and reports it. Throws and rejects as `next` does: a client that has closed the
 * connection is reported as 499, any other error as 500.
 */
export const observed = (context: Context, next: Handler, report: Report): Reply | Promise<Reply> =>
  settled(
    () => next(context),
    (reply) => {
      report(reply.status, reply);
      return reply;
    },
    (error) => {
      report(error instanceof ClientGone ? 499 : 500, undefined);
      throw error;
    },
  );
