/**
 * Makes a reply that can be sent of what a stage or a handler returned: a written reply as it is, anything else as
 * `written-reply.ts` writes it. An error names the maker and the remedy.
 */
import { Readable } from 'node:stream';
import { after } from './after.ts';
import type { Context, Handler } from './context.ts';
import { isWritten } from './made-reply.ts';
import { headerOf } from './replies.ts';
import type { Reply } from './reply.ts';
import { invalidReturn, lengthFault, type NameOfMaker } from './reply-fault.ts';
import { ownSlot } from './slotted-context.ts';
import { ignoreFailure } from './source-stream.ts';
import { capitalised } from './text.ts';
import { writtenReply } from './written-reply.ts';

/**
 * The reply to send. One that a stage passes on is ready already. Throws, or rejects with, an `InvalidReply` that begins
 * with the name for what cannot be sent.
 */
export const readyReply = (
  returned: Reply | Promise<Reply>,
  context: Context,
  name: NameOfMaker,
): Reply | Promise<Reply> => after(returned, (reply) => ready(reply, context, name));

/** Returns a handler that makes the replies of this handler ready. */
export const readyHandler =
  (handler: Handler, name: NameOfMaker): Handler =>
  (context) =>
    readyReply(handler(context), context, name);

const streams = ownSlot<Map<Readable, string>>('streams');

/**
 * Returns the streams of all replies to a request, each with the name of its maker; undefined before the first. The
 * server releases them when the request is over: a stage may have replaced a reply.
 */
export const streamsOf = (context: Context): ReadonlyMap<Readable, string> | undefined => streams.find(context);

function ready(returned: Reply, context: Context, maker: NameOfMaker): Reply {
  const reply = isWritten(returned) ? returned : writtenReply(returned, context, maker);
  if (reply.body === undefined) assertNoBody(reply, context, maker);
  else if (reply.body instanceof Readable) noteStream(reply.body, context, maker);
  return reply;
}

function noteStream(body: Readable, context: Context, maker: NameOfMaker): void {
  const noted = streams.find(context) ?? new Map<Readable, string>();
  if (noted.has(body)) return;
  streams.set(context, noted.set(body, capitalised(maker())));
  // It may fail while a stage waits, and a stage may send something else in its place.
  body.on('error', ignoreFailure);
}

/** Throws an `InvalidReply` for a reply without the body that its length announces. Only a reply to HEAD may lack it. */
function assertNoBody(reply: Reply, context: Context, maker: NameOfMaker): void {
  if (reply.status === 204 || reply.status === 304) return;
  const length = headerOf(reply, 'Content-Length') ?? '0';
  // A copy of the context may have another method than the request.
  if (length === '0' || (context.request?.method ?? context.method) === 'HEAD') return;
  throw invalidReturn(`a reply with ${lengthFault(Number(length), 0)}`, maker);
}
