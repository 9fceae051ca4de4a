/** Makes the 404 for a request that nothing answers. A `listener` that was given a `next` calls it instead (§7, D9). */
import type { Context, Handler } from './context.ts';
import { problemReply } from './problem.ts';
import type { Reply } from './reply.ts';
import { ownSlot } from './slotted-context.ts';

const bodyOfUnanswered = ownSlot<unknown>('body of unanswered');

/** The last handler of a pipeline that is given no other. */
export const unanswered: Handler = (context) => {
  const reply = problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`);
  bodyOfUnanswered.set(context, reply.body);
  return reply;
};

/** Is this that 404? A stage may add headers to it. A reply with another status or another body is an answer. */
export const isUnanswered = (reply: Reply | undefined, context: Context): boolean =>
  reply?.status === 404 && reply.body !== undefined && reply.body === bodyOfUnanswered.find(context);
