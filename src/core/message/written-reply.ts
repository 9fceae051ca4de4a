/** Writes the body of a returned reply: a value as JSON, a problem in the format that the request asks for. */
import { article } from '../options/assert-options.ts';
import type { Context } from './context.ts';
import { discardReply, isFrozenReply, unwrittenOf, unwrittenReply } from './frozen-reply.ts';
import { API_POLICY, flat, withDefaults } from './headers/header-lines.ts';
import { problemReply } from './problem.ts';
import { checkedReply, empty, json, makeReply, replyWith } from './replies.ts';
import type { Reply, Unwritten } from './reply.ts';
import { type ErrorSubject, invalidReturn, replyFault } from './reply-fault.ts';
import { contentOf, entityTag, isRepresentation } from './representation.ts';

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

/** Creates a reply from a returned object. Throws an `InvalidReply` for a value that is not a reply. */
export function replyOf(returned: Reply, subject: ErrorSubject): Reply {
  if (returned === undefined || returned === null)
    throw invalidReturn(
      'nothing; return a reply such as ok(…), text(…), json(…) or empty(), or in a stage the reply of next(context)',
      subject,
    );
  if (typeof returned !== 'object')
    throw invalidReturn(`${article(typeof returned)}, not a reply; wrap it in text(…) or json(…)`, subject);
  if ('then' in returned)
    throw invalidReturn('a thenable that is not a Promise; await it, or wrap it in Promise.resolve(…)', subject);
  // Naming the class `Response` would make Node load fetch.
  if (Object.prototype.toString.call(returned) === '[object Response]')
    throw invalidReturn(
      'a Response of the Web; return json(await response.json()), or { status, headers, body }',
      subject,
    );
  const fault = replyFault(returned);
  if (fault === undefined) {
    const { status, headers, body, value, problem } = returned;
    return body === undefined && (value !== undefined || problem !== undefined)
      ? unwrittenReply(status, returned as Unwritten, headers)
      : checkedReply(returned);
  }
  discardReply(returned);
  throw invalidReturn(`a reply with ${fault}`, subject);
}
