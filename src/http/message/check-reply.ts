/**
 * Decides whether what a stage or a handler returned can be sent.
 *
 * A reply that says a wrong length, or a header that another server takes differently, puts a connection out of step: the next
 * answer on it is read as a part of this one (RFC 9112 §6.3, §11.2). So a reply is judged where it is made, before its head is
 * written, and what is wrong with it becomes a 500 and an error that names who made it. Replies of this library are made right
 * and are not judged again; see `trustReply`.
 */
import { Readable } from 'node:stream';
import { article, headerFault, quoted } from '../headers/header-fault.ts';
import { Context, type Reply, type RequestState } from './context.ts';
import { flat } from './replies.ts';

/** Found a reply that cannot be sent. The message names who made it, what is wrong, and what to do. */
export class InvalidReply extends TypeError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InvalidReply';
  }
}

/**
 * Returns what a stage or a handler returned – or the promise of it – once it is found fit to be sent. `name` puts into words who
 * `maker` is. Throws, or rejects with, an `InvalidReply`. What was already judged for this request is passed on at no cost.
 */
export function checkReply<Maker>(
  returned: Reply | Promise<Reply>,
  context: Context,
  name: (maker: Maker) => string,
  maker: Maker,
): Reply | Promise<Reply> {
  const state = Context.stateOf(context);
  if (state !== undefined && isChecked(returned, state)) return returned;
  if (!(returned instanceof Promise)) return judged(returned, context, name, maker);
  return trustPromise(
    returned.then((reply) =>
      state !== undefined && isChecked(reply, state) ? reply : judged(reply, context, name, maker),
    ),
    context,
  );
}

/** Was this, as it stands, found fit already? A stage may have changed the reply that it was given. */
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

/** Passes on a reply of our own making as fit to be sent. It says its length where it has one. */
export function trustReply(reply: Reply, context: Context): Reply {
  const state = Context.stateOf(context);
  if (state !== undefined) remember(reply, state, false);
  return reply;
}

/** Passes on a promise of a reply that is judged, or trusted, once it is there. */
export function trustPromise(promise: Promise<Reply>, context: Context): Promise<Reply> {
  const state = Context.stateOf(context);
  if (state !== undefined) state.pending = promise;
  return promise;
}

function remember(reply: Reply, state: RequestState, lacksLength: boolean): void {
  const { status, headers, body } = reply;
  state.checked = reply;
  state.checkedStatus = status;
  state.checkedHeaders = headers;
  state.checkedLines = (headers as readonly string[]).length;
  state.checkedBody = body;
  state.lacksLength = lacksLength;
}

function judged<Maker>(reply: Reply, context: Context, name: (maker: Maker) => string, maker: Maker): Reply {
  // By the method that was asked: a copy of the context may say another.
  const fault = replyFault(reply, context.request?.method ?? context.method);
  if (fault !== undefined) {
    if (reply?.body instanceof Readable) reply.body.destroy();
    throw new InvalidReply(`${capitalised(name(maker))} ${fault}`);
  }
  const fit = reply.status === 304 ? withoutBody(reply) : settledHeaders(reply),
    state = Context.stateOf(context);
  if (state === undefined) return fit;
  remember(fit, state, !saysLength(fit.headers));
  state.maker = fit.body instanceof Readable ? capitalised(name(maker)) : undefined;
  return fit;
}

/** Header lines as a list that stays as it was judged: an object may be changed by whoever holds it. */
const settledHeaders = (reply: Reply): Reply =>
  Array.isArray(reply.headers) ? reply : { ...reply, headers: Object.freeze([...flat(reply.headers)]) };

function saysLength(headers: Reply['headers']): boolean {
  const lines = flat(headers);
  for (let at = 0; at < lines.length; at += 2) if (lines[at]!.length === 14 && isContentLength(lines[at]!)) return true;
  return false;
}

const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A 304 has no body whatever the stage before it made (RFC 9110 §15.4.5). */
function withoutBody(reply: Reply): Reply {
  if (reply.body instanceof Readable) reply.body.destroy();
  const lines = flat(reply.headers);
  return { status: 304, headers: lines.filter((_, at) => !isContentLength(lines[at - (at % 2)]!)) };
}

/** What is wrong with a reply to this method and what to do about it, to be read behind the name of who made it; or undefined. */
export function replyFault(reply: unknown, method: string): string | undefined {
  if (reply === undefined || reply === null) return 'returned nothing; return a reply, or what "next(context)" returns';
  if (typeof reply !== 'object') return `returned ${article(typeof reply)}, not a reply; wrap it in text(…) or json(…)`;
  if ('then' in reply) return 'returned a thenable that is no Promise; await it, or wrap it in Promise.resolve(…)';
  const { status, headers, body } = reply as Reply;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return `returned a reply with the status ${quoted(status)}; give a whole number from 200 to 599`;
  }
  if (typeof headers !== 'object' || headers === null)
    return 'returned a reply without headers; give an object or a list, {} for none';
  // A Map, or the Headers of fetch, which would be loaded to be asked for by name.
  if (Symbol.iterator in headers && !Array.isArray(headers))
    return 'returned its headers as a Map; write Object.fromEntries(headers)';
  return headersFault(reply as Reply, method) ?? bodyFault(body, status);
}

function headersFault(reply: Reply, method: string): string | undefined {
  const lines = flat(reply.headers);
  if (lines.length % 2 !== 0) return 'returned a list of headers of odd length; give a value behind each name';
  let length: string | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]!,
      value = lines[at + 1]!,
      fault = headerFault(name, value);
    if (fault !== undefined) return `returned ${fault}`;
    if (name.length !== 14 || !isContentLength(name)) continue;
    if (length !== undefined) return 'returned two Content-Length headers; give one, or none and it is added';
    if (!/^\d{1,15}$/.test(value)) return `returned the Content-Length ${quoted(value)}; leave it out and it is added`;
    length = value;
  }
  return length === undefined ? undefined : lengthFault(reply, Number(length), method);
}

const isContentLength = (name: string): boolean => name === 'Content-Length' || name.toLowerCase() === 'content-length';

/** A reply to HEAD says the length of a body that it does not send; one of 304 loses the line when it is sent. */
function lengthFault({ status, body }: Reply, length: number, method: string): string | undefined {
  if (status === 204)
    return 'returned a 204 with a Content-Length; a 204 has no body, leave the header out (RFC 9110 §8.6)';
  if (status === 304) return undefined;
  const bytes = lengthOf(body);
  if (bytes === undefined || bytes === length || (body === undefined && method === 'HEAD')) return undefined;
  return `returned the Content-Length ${length} for a body of ${bytes} bytes; leave the header out and it is added`;
}

/** In bytes; undefined for a stream, which is counted while it is sent. */
function lengthOf(body: Reply['body']): number | undefined {
  if (body === undefined) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.length;
  return Array.isArray(body)
    ? (body as readonly Uint8Array[]).reduce((sum, chunk) => sum + chunk.length, 0)
    : undefined;
}

function bodyFault(body: unknown, status: number): string | undefined {
  if (body === undefined) return undefined;
  const isEmpty = (typeof body === 'string' || body instanceof Uint8Array) && body.length === 0;
  if ((status === 204 || status === 205) && !isEmpty)
    return `returned a ${status} with a body; leave it out, or answer 200`;
  if (typeof body === 'string' || body instanceof Uint8Array) return undefined;
  if (body instanceof Readable) {
    const isUsed = body.destroyed || body.readableEnded || body.readableDidRead || body.errored !== null;
    return isUsed
      ? 'returned a stream that has ended, failed or was read from before; make a new one for each reply'
      : undefined;
  }
  if (!Array.isArray(body)) {
    return `returned ${body === null ? 'null' : article(typeof body)} as a body; give a text, bytes or a stream, or use json(…)`;
  }
  const wrong = body.findIndex((chunk) => !(chunk instanceof Uint8Array));
  return wrong < 0
    ? undefined
    : `returned a list of chunks with ${article(typeof body[wrong])} in it; give each chunk as bytes`;
}
