/**
 * Takes what a stage or a handler returned: a written reply as it is, a value or a problem as the bytes that are sent
 * for it, an object as a reply of these parts. An error names the maker and the remedy.
 */
import { Readable } from 'node:stream';
import { article } from '../options/assert-options.ts';
import type { Context } from './context.ts';
import { entityTag } from './headers/conditional.ts';
import { flat, withDefaults } from './headers/header-lines.ts';
import { API_POLICY } from './headers/reply-headers.ts';
import { problemReply } from './problem.ts';
import { empty, headerOf, json, replyWith } from './replies.ts';
import {
  checkedReply,
  discardReply,
  isMade,
  isWritten,
  makeReply,
  type Reply,
  type Unwritten,
  unwrittenOf,
  unwrittenReply,
} from './reply.ts';
import { InvalidReply, lengthFault, replyFault } from './reply-fault.ts';
import { isRepresentation, isStreamed } from './representation.ts';
import { type RequestRecord, recordOf } from './request-record.ts';
import { ignoreFailure } from './source-stream.ts';
import { capitalised } from './text.ts';

/** Tells who made a reply, for errors: `the route "x"`. */
export type NameOfMaker = () => string;

/** Returns a reply that can be sent. Fails with an `InvalidReply` that names the maker. */
export function readyReply(
  returned: Reply | Promise<Reply>,
  context: Context,
  maker: NameOfMaker,
): Reply | Promise<Reply> {
  if (!(returned instanceof Promise)) return ready(returned, context, maker);
  const record = recordOf(context);
  if (record !== undefined && record.pending === returned) return returned;
  return pendingReply(
    returned.then((reply) => ready(reply, context, maker)),
    record,
  );
}

/** Notes that this promise is of a reply that will be ready, so that no stage which passes it on waits for it again. */
export function pendingReply(promise: Promise<Reply>, record: RequestRecord | undefined): Promise<Reply> {
  if (record !== undefined) record.pending = promise;
  return promise;
}

function ready(returned: Reply, context: Context, maker: NameOfMaker): Reply {
  if (isWritten(returned)) return recorded(returned, context, maker);
  const checked = checkedReturn(returned, maker);
  const unwritten = unwrittenOf(checked);
  if (unwritten?.location !== undefined)
    throw refusal(
      'a reply with the location of an operation, which no operation has returned; give the header instead, as in ' +
        'json(value, { status: 201, headers: { Location: path } })',
      maker,
    );
  return recorded(unwritten === undefined ? checked : written(checked, unwritten, context), context, maker);
}

/**
 * Enters a written reply in the record of its request: its stream is released when something else is sent. Throws an
 * `InvalidReply` for a reply that announces a body and has none, which only one to HEAD may.
 */
export function recorded(reply: Reply, context: Context, maker: NameOfMaker): Reply {
  const record = recordOf(context);
  if (record !== undefined) record.hasReply = true;
  const { status, body } = reply;
  if (typeof body === 'string') return reply;
  if (body === undefined) {
    const length = status === 204 || status === 304 ? undefined : headerOf(reply, 'Content-Length');
    // A copy of the context may have another method than the request.
    if (length === undefined || length === '0' || (context.request?.method ?? context.method) === 'HEAD') return reply;
    throw refusal(`a reply with ${lengthFault(Number(length), 0)}`, maker);
  }
  if (body instanceof Readable && record !== undefined) {
    const streams = (record.streams ??= new Map());
    if (!streams.has(body)) {
      streams.set(body, capitalised(maker()));
      // It may fail while a stage waits, and a stage may send something else in its place.
      body.on('error', ignoreFailure);
    }
  }
  return reply;
}

/** What was returned, as a reply that was made. Throws an `InvalidReply` for what is none. */
export function checkedReturn(returned: Reply, maker: NameOfMaker): Reply {
  if (returned === undefined || returned === null)
    throw refusal(
      'nothing; return a reply such as ok(…), text(…), json(…) or empty(), or in a stage what "next(context)" returns',
      maker,
    );
  if (typeof returned !== 'object')
    throw refusal(`${article(typeof returned)}, not a reply; wrap it in text(…) or json(…)`, maker);
  if (isMade(returned)) return returned;
  if ('then' in returned)
    throw refusal('a thenable that is no Promise; await it, or wrap it in Promise.resolve(…)', maker);
  // Node loads fetch when the class `Response` is named.
  if (Object.prototype.toString.call(returned) === '[object Response]')
    throw refusal('a Response of the Web; return json(await response.json()), or { status, headers, body }', maker);
  const fault = replyFault(returned);
  if (fault === undefined) {
    const { status, headers, body, value, problem } = returned;
    return body === undefined && (value !== undefined || problem !== undefined)
      ? unwrittenReply(status, returned as Unwritten, headers)
      : checkedReply(returned);
  }
  discardReply(returned);
  throw refusal(`a reply with ${fault}`, maker);
}

const refusal = (fault: string, maker: NameOfMaker): InvalidReply =>
  new InvalidReply(`${capitalised(maker())} returned ${fault}`);

/** The reply for a problem that was returned. */
export function writtenProblem({ status, headers }: Reply, { problem, extra }: Unwritten, context: Context): Reply {
  const detail = problem ?? 'The operation did not succeed';
  const made = problemReply(context, status, detail, extra);
  return flat(headers).length === 0 ? made : replyWith(made, { headers: withDefaults(flat(made.headers), headers) });
}

/** Writes a problem as this application does, and a value as JSON. */
function written(reply: Reply, unwritten: Unwritten, context: Context): Reply {
  if (unwritten.problem !== undefined) return writtenProblem(reply, unwritten, context);
  const { status, headers } = reply;
  const { value } = unwritten;
  if (value === undefined) return empty({ status, headers });
  if (!isRepresentation(value)) return json(value, { status, headers });
  const { version, length } = value;
  const content = ['Content-Type', 'application/json'];
  if (length !== undefined) content.push('Content-Length', String(length));
  if (version !== undefined) content.push('ETag', entityTag(version));
  const body = isStreamed(value) ? value.stream() : value.body;
  return makeReply(status, withDefaults([...content, ...API_POLICY], headers), body);
}
