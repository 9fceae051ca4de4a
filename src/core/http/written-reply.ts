/** Writes the body of a returned reply: a value as JSON, a problem in the format that the request asks for. */
import { article } from '../options/assert-options.ts';
import type { Context } from './context.ts';
import { discardReply, isFrozenReply, unwrittenOf, unwrittenReply } from './frozen-reply.ts';
import { API_POLICY, flat, withDefaults } from './headers/header-lines.ts';
import { problemReply } from './problem.ts';
import { checkedReply, empty, json, makeReply, replyWith } from './replies.ts';
import type { Reply, Unwritten } from './reply.ts';
import { type ErrorSubject, invalidReturn, isStream, replyFault } from './reply-fault.ts';
import { contentOf, entityTag, isRepresentation } from './representation.ts';
import { releaseSource } from './source-stream.ts';

/** Returns the reply with its problem written as the body. */
export function writtenProblem({ status, headers }: Reply, { problem, extra }: Unwritten, context: Context): Reply {
  const detail = problem ?? 'The operation did not succeed';
  const reply = problemReply(context, status, detail, extra);
  return flat(headers).length === 0 ? reply : replyWith(reply, { headers: withDefaults(flat(reply.headers), headers) });
}

/** Returns the written reply. Throws an `InvalidReply` for a location, which only an operation can resolve. */
export function writtenReply(returned: Reply, context: Context, subject: ErrorSubject): Reply {
  const reply = isFrozenReply(returned) ? returned : replyOf(returned, subject);
  const unwritten = unwrittenOf(reply);
  if (unwritten === undefined) return reply;
  if (unwritten.location !== undefined)
    throw invalidReturn(
      'a reply whose location is not a path; give the header instead, as in ' +
        'json(value, { status: 201, headers: { Location: path } })',
      subject,
    );
  if (unwritten.problem !== undefined) return writtenProblem(reply, unwritten, context);
  const { status, headers } = reply;
  const { value } = unwritten;
  if (value === undefined) return empty({ status, headers });
  if (!isRepresentation(value)) return json(value, { status, headers });
  const { version, length } = value;
  const content = ['Content-Type', 'application/json'];
  if (length !== undefined) content.push('Content-Length', String(length));
  if (version !== undefined) content.push('ETag', entityTag(version));
  return makeReply(status, withDefaults([...content, ...API_POLICY], headers), contentOf(value).body);
}

/**
 * Creates a reply from a returned object. Throws an `InvalidReply` for a value that is not a reply, and destroys its
 * streams.
 */
export function replyOf(returned: Reply, subject: ErrorSubject): Reply {
  const fault = returnFault(returned);
  if (fault === undefined) {
    const { status, headers, body, value, problem } = returned;
    if (body === undefined && (value !== undefined || problem !== undefined))
      return unwrittenReply(status, returned as Unwritten, headers);
    // A body is sent instead of the value.
    if (isStream(value) && value !== body) releaseSource(value);
    return checkedReply(returned);
  }
  if (isStream(returned)) releaseSource(returned);
  else discardReply(returned);
  throw invalidReturn(fault, subject);
}

/** Returns the fault and the remedy, as words after "returned"; undefined for a valid reply. */
function returnFault(returned: Reply): string | undefined {
  if (returned === undefined || returned === null)
    return 'nothing; return a reply such as ok(…), text(…), json(…) or empty(), or in a stage the reply of next(context)';
  if (typeof returned !== 'object') return `${article(typeof returned)}, not a reply; wrap it in text(…) or json(…)`;
  if ('then' in returned) return 'a thenable that is not a Promise; await it, or wrap it in Promise.resolve(…)';
  // Naming the class `Response` would make Node load fetch.
  if (Object.prototype.toString.call(returned) === '[object Response]')
    return 'a Response of the Web; return json(await response.json()), or { status, headers, body }';
  const fault = replyFault(returned);
  return fault === undefined ? undefined : `a reply with ${fault}`;
}
