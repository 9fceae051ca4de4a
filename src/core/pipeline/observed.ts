/** Reports how the later stages ended, at once or when their promise is settled. */
import { after } from '../message/after.ts';
import type { Context, Handler } from '../message/context.ts';
import { ClientGone } from '../message/problem.ts';
import type { Reply } from '../message/reply.ts';

/** Is called once per request. `reply` is undefined where the later stages failed. */
type Report = (status: number, reply: Reply | undefined) => void;

/** Does as `next` does, and reports it: a client that has closed the connection as 499, any other error as 500. */
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

/** Returns what `replied` returns. An error goes through `failed`, whether thrown at once or rejected later. */
export function settled<Result = Reply>(
  action: () => Result | Promise<Result>,
  replied: (result: Result) => Result,
  failed: (error: unknown) => never,
): Result | Promise<Result> {
  let result: Result | Promise<Result>;
  try {
    result = action();
  } catch (error) {
    return failed(error);
  }
  return after(result, replied, failed);
}
