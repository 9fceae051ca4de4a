/**
 * Checks that what a stage or a handler returned can be sent, and remembers the reply that was checked.
 *
 * A wrong `Content-Length`, or a header that another server reads differently, makes a client take the next response on
 * the connection for a part of this one (RFC 9112 §6.3, §11.2). So a reply is checked before its head is written: an
 * invalid one becomes a 500, and the log names the stage or handler. Replies that this library makes skip the check.
 */
import { Readable } from 'node:stream';
import { Context, type Reply } from './context.ts';
import { flat } from './replies.ts';
import { isContentLength, replyFault } from './reply-fault.ts';
import type { RequestState } from './request-state.ts';

/** The error for a reply that cannot be sent. Its message names the maker, the fault and the remedy. */
export class InvalidReply extends TypeError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InvalidReply';
  }
}

/** Returns a reply that can be sent; checks it once. Else fails with an `InvalidReply`, where `name` names `maker`. */
export function checkReply<Maker>(
  returned: Reply | Promise<Reply>,
  context: Context,
  name: (maker: Maker) => string,
  maker: Maker,
): Reply | Promise<Reply> {
  const state = Context.stateOf(context);
  if (state !== undefined && isChecked(returned, state)) return returned;
  if (!(returned instanceof Promise)) return validated(returned, context, name, maker);
  const check = (reply: Reply): Reply =>
    state !== undefined && isChecked(reply, state) ? reply : validated(reply, context, name, maker);
  return trustPromise(returned.then(check), context);
}

/** Is this the reply that was checked last, unchanged since, or the promise of a reply that will be checked? */
export function isChecked(returned: unknown, state: RequestState): boolean {
  if (returned !== state.checked) return returned === state.pending && returned !== undefined;
  const { status, headers, body } = returned as Reply;
  return (
    status === state.checkedStatus &&
    headers === state.checkedHeaders &&
    body === state.checkedBody &&
    (headers as readonly string[]).length === state.checkedLines
  );
}

/** Marks a valid reply as checked and returns it. If the length of its body is known, it has a `Content-Length`. */
export function trustReply(reply: Reply, context: Context): Reply {
  const state = Context.stateOf(context);
  if (state !== undefined) remember(reply, state, false);
  return reply;
}

/** Marks a promise as one of a reply that is checked, or trusted, when it is fulfilled. Returns the promise. */
export function trustPromise(promise: Promise<Reply>, context: Context): Promise<Reply> {
  const state = Context.stateOf(context);
  if (state !== undefined) state.pending = promise;
  return promise;
}

/** Releases what a reply holds that is not sent: a stream, with its open file. It may fail without harm from now on. */
export function discardReply(reply: Pick<Reply, 'body'> | undefined): void {
  if (reply?.body instanceof Readable) reply.body.on('error', ignore).destroy();
}

function ignore(): void {}

function remember(reply: Reply, state: RequestState, lacksLength: boolean): void {
  const { status, headers, body } = reply;
  if (body instanceof Readable && body !== state.checkedBody) {
    // It may fail while a stage waits, and a stage may send something else in its place.
    body.on('error', ignore);
    (state.streams ??= []).push(body);
  }
  state.checked = reply;
  state.checkedStatus = status;
  state.checkedHeaders = headers;
  state.checkedLines = (headers as readonly string[]).length;
  state.checkedBody = body;
  state.lacksLength = lacksLength;
}

function validated<Maker>(reply: Reply, context: Context, name: (maker: Maker) => string, maker: Maker): Reply {
  // Of the makers, only a stage is a function.
  const isStage = typeof maker === 'function';
  // A copy of the context may have another method than the request.
  const fault = replyFault(reply, context.request?.method ?? context.method, isStage);
  if (fault !== undefined) {
    discardReply(reply);
    throw new InvalidReply(`${capitalised(name(maker))} ${fault}`);
  }
  const valid = reply.status === 304 ? withoutBody(reply) : withFixedHeaders(reply);
  const state = Context.stateOf(context);
  if (state === undefined) return valid;
  remember(valid, state, !hasContentLength(flat(valid.headers)));
  state.maker = valid.body instanceof Readable ? capitalised(name(maker)) : undefined;
  return valid;
}

/** The maker of a reply may still change an object of headers, so it is copied. */
const withFixedHeaders = (reply: Reply): Reply =>
  Array.isArray(reply.headers) ? reply : { ...reply, headers: Object.freeze([...flat(reply.headers)]) };

/** A 304 has neither body nor `Content-Length`, whatever reply a stage changed into one (RFC 9110 §15.4.5). */
function withoutBody(reply: Reply): Reply {
  discardReply(reply);
  const lines = flat(reply.headers);
  return { status: 304, headers: lines.filter((_, at) => !isContentLength(lines[at - (at % 2)]!)) };
}

function hasContentLength(lines: readonly string[]): boolean {
  for (let at = 0; at < lines.length; at += 2) if (isContentLength(lines[at]!)) return true;
  return false;
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
