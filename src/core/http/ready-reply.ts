/**
 * Turns the value that a stage or a handler returned into a reply that can be sent. A written reply does not change;
 * `written-reply.ts` writes any other reply. Error messages contain the stage or the route, and the remedy.
 */
import { Readable } from 'node:stream';
import { after } from './after.ts';
import type { Context, Handler } from './context.ts';
import { isWritten } from './frozen-reply.ts';
import { noteStream } from './held-streams.ts';
import { headerOf } from './replies.ts';
import type { Reply } from './reply.ts';
import { type ErrorSubject, invalidReturn, lengthFault } from './reply-fault.ts';
import { capitalised } from './text.ts';
import { writtenReply } from './written-reply.ts';

/** Returns the reply to send. Throws, or rejects with, an `InvalidReply` whose message begins with the subject. */
export const readyReply = (
  returned: Reply | Promise<Reply>,
  context: Context,
  subject: ErrorSubject,
): Reply | Promise<Reply> => after(returned, (reply) => ready(reply, context, subject));

/** Returns a handler whose replies are ready to send. */
export const readyHandler =
  (handler: Handler, subject: ErrorSubject): Handler =>
  (context) =>
    readyReply(handler(context), context, subject);

function ready(returned: Reply, context: Context, subject: ErrorSubject): Reply {
  const reply = isWritten(returned) ? returned : writtenReply(returned, context, subject);
  if (reply.body === undefined) assertNoBody(reply, context, subject);
  else if (reply.body instanceof Readable) noteStream(reply.body, context, () => capitalised(subject()));
  return reply;
}

/** Throws an `InvalidReply` if the reply announces a length but has no body. Only a reply to HEAD may do so. */
function assertNoBody(reply: Reply, context: Context, subject: ErrorSubject): void {
  if (reply.status === 204 || reply.status === 304) return;
  const length = headerOf(reply, 'Content-Length') ?? '0';
  // A copy of the context may have another method than the request.
  if (length === '0' || (context.request?.method ?? context.method) === 'HEAD') return;
  throw invalidReturn(`a reply with ${lengthFault(Number(length), 0)}`, subject);
}
