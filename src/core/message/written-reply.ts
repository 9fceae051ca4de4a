/**
 * Writes what a stage or a handler returned and is not written yet: a value as JSON, a problem as the problems of the
 * request are written, an object as a reply of these parts.
 */
import { article } from '../options/assert-options.ts';
import type { Context } from './context.ts';
import { API_POLICY, flat, withDefaults } from './headers/header-lines.ts';
import { discardReply, isMade, unwrittenOf, unwrittenReply } from './made-reply.ts';
import { problemReply } from './problem.ts';
import { checkedReply, empty, json, makeReply, replyWith } from './replies.ts';
import type { Reply, Unwritten } from './reply.ts';
import { invalidReturn, type NameOfMaker, replyFault } from './reply-fault.ts';
import { contentOf, entityTag, isRepresentation } from './representation.ts';

/** The reply for a problem that was returned. */
export function writtenProblem({ status, headers }: Reply, { problem, extra }: Unwritten, context: Context): Reply {
  const detail = problem ?? 'The operation did not succeed';
  const made = problemReply(context, status, detail, extra);
  return flat(headers).length === 0 ? made : replyWith(made, { headers: withDefaults(flat(made.headers), headers) });
}

/** The reply with its body. Throws an `InvalidReply` for a location, of which only the route can make a path. */
export function writtenReply(returned: Reply, context: Context, maker: NameOfMaker): Reply {
  const reply = isMade(returned) ? returned : replyOf(returned, maker);
  const unwritten = unwrittenOf(reply);
  if (unwritten === undefined) return reply;
  if (unwritten.location !== undefined)
    throw invalidReturn(
      'a reply whose location is not a path; give the header instead, as in ' +
        'json(value, { status: 201, headers: { Location: path } })',
      maker,
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

/** A reply of the returned parts. Throws an `InvalidReply` for anything that is not a reply. */
export function replyOf(returned: Reply, maker: NameOfMaker): Reply {
  if (returned === undefined || returned === null)
    throw invalidReturn(
      'nothing; return a reply such as ok(…), text(…), json(…) or empty(), or in a stage what "next(context)" returns',
      maker,
    );
  if (typeof returned !== 'object')
    throw invalidReturn(`${article(typeof returned)}, not a reply; wrap it in text(…) or json(…)`, maker);
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
