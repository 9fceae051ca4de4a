/** What a stage is: a function that answers a request or passes it on. */
import type { Context, Handler, Reply } from '../http/message/context.ts';

/** A stage: answers the request, or returns what `next` answers to it. */
export type Stage = (context: Context, next: Handler) => Reply | Promise<Reply>;
