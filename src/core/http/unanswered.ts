/** Creates the 404 for an unanswered request. A mounted listener calls `next` instead of sending the 404 (§7, D9). */
import type { Context, Handler } from './context.ts';
import { problemReply } from './problem.ts';
import type { Reply } from './reply.ts';
import { librarySlot } from './slotted-context.ts';

const bodyOfUnanswered = librarySlot<unknown>('body of unanswered');

/** Answers with a 404. The default last handler of a pipeline. */
export const unanswered: Handler = (context) => {
  const reply = problemReply(context, 404, `Nothing answers ${context.method} ${context.path}`);
  bodyOfUnanswered.set(context, reply.body);
  return reply;
};

/** True for the 404 of `unanswered`, even if a stage has added headers; false for another status or body. */
export const isUnanswered = (reply: Reply | undefined, context: Context): boolean =>
  reply?.status === 404 && reply.body !== undefined && reply.body === bodyOfUnanswered.find(context);
