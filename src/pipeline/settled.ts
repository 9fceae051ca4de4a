/** Calls a function that replies, and continues with its reply or its error, at once or later. */
import { after } from '../http/message/after.ts';
import type { Reply } from '../http/message/context.ts';

/**
 * Returns what `replied` returns. An error goes through `failed`, whether it is thrown or a promise is rejected with
 * it.
 */
export function settled(
  action: () => Reply | Promise<Reply>,
  replied: (reply: Reply) => Reply,
  failed: (error: unknown) => never,
): Reply | Promise<Reply> {
  let reply: Reply | Promise<Reply>;
  try {
    reply = action();
  } catch (error) {
    return failed(error);
  }
  return after(reply, replied, failed);
}
