/** A stage of the pipeline. Express and Koa call it a middleware. */
import type { Context, Handler, Reply } from '../http/message/context.ts';

/** Answers the request, or returns what `next(context)` returns: the reply of the later stages. */
export type Stage = (context: Context, next: Handler) => Reply | Promise<Reply>;

/** Stages in the order in which a request passes them. */
export type Pipeline = readonly Stage[];
