/** Answers what no stage and no route answers: with a 404, or by passing it on to the host around a listener (D78). */
import type { Handler } from '../message/context.ts';
import { problemReply } from '../message/problem.ts';
import { recordOf } from '../message/request-record.ts';

/**
 * The 404 for a method and a path that nothing answers (§7, D9). A `listener` that was given a `next` calls it instead
 * of sending this.
 */
export const unanswered: Handler = (context) => {
  const reply = problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`);
  const fallThrough = recordOf(context)?.fallThrough;
  if (fallThrough !== undefined) fallThrough.unansweredBody = reply.body;
  return reply;
};
