/**
 * Makes a reply that can be sent of what a stage or a handler returned: a written reply as it is, a value or a problem
 * as `written-reply.ts` writes it, an object as a reply of these parts. An error names the maker and the remedy.
 */
import { Readable } from 'node:stream';
import { article } from '../options/assert-options.ts';
import type { Context, Handler } from './context.ts';
import { discardReply, isMade, isWritten, unwrittenReply } from './made-reply.ts';
import { checkedReply, headerOf } from './replies.ts';
import type { Reply, Unwritten } from './reply.ts';
import { invalidReturn, lengthFault, type NameOfMaker, replyFault } from './reply-fault.ts';
import { ownSlot } from './slotted-context.ts';
import { ignoreFailure } from './source-stream.ts';
import { capitalised } from './text.ts';
import { written } from './written-reply.ts';

/**
 * Returns what a stage or a handler returned as a reply that can be sent: a value or a problem is written, and an object
 * with a status, headers and a body becomes a reply. A reply that a stage passes on is ready already. Throws, or rejects
 * with, an `InvalidReply` that begins with the name for a reply that cannot be sent.
 */
export const readyReply = (
  returned: Reply | Promise<Reply>,
  context: Context,
  name: NameOfMaker,
): Reply | Promise<Reply> =>
  returned instanceof Promise ? returned.then((reply) => ready(reply, context, name)) : ready(returned, context, name);

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
  const reply = isWritten(returned) ? returned : written(checkedReturn(returned, maker), context, maker);
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

/** The returned reply, or a reply of the returned parts. Throws an `InvalidReply` for anything else. */
export function checkedReturn(returned: Reply, maker: NameOfMaker): Reply {
  if (returned === undefined || returned === null)
    throw invalidReturn(
      'nothing; return a reply such as ok(…), text(…), json(…) or empty(), or in a stage what "next(context)" returns',
      maker,
    );
  if (typeof returned !== 'object')
    throw invalidReturn(`${article(typeof returned)}, not a reply; wrap it in text(…) or json(…)`, maker);
  if (isMade(returned)) return returned;
  if ('then' in returned)
    throw invalidReturn('a thenable that is no Promise; await it, or wrap it in Promise.resolve(…)', maker);
  // Node loads fetch when the class `Response` is named.
  if (Object.prototype.toString.call(returned) === '[object Response]')
    throw invalidReturn(
      'a Response of the Web; return json(await response.json()), or { status, headers, body }',
      maker,
    );
  const fault = replyFault(returned);
  if (fault === undefined) {
    const { status, headers, body, value, problem } = returned;
    return body === undefined && (value !== undefined || problem !== undefined)
      ? unwrittenReply(status, returned as Unwritten, headers)
      : checkedReply(returned);
  }
  discardReply(returned);
  throw invalidReturn(`a reply with ${fault}`, maker);
}
