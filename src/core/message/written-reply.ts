/** Writes what a reply still holds: a value as JSON, a problem as the problems of the request are written. */
import type { Context } from './context.ts';
import { entityTag } from './headers/entity-tag.ts';
import { flat, withDefaults } from './headers/header-lines.ts';
import { API_POLICY } from './headers/reply-headers.ts';
import { unwrittenOf } from './made-reply.ts';
import { problemReply } from './problem.ts';
import { empty, json, makeReply, replyWith } from './replies.ts';
import type { Reply, Unwritten } from './reply.ts';
import { invalidReturn, type NameOfMaker } from './reply-fault.ts';
import { contentOf, isRepresentation } from './representation.ts';

/** The reply for a problem that was returned. */
export function writtenProblem({ status, headers }: Reply, { problem, extra }: Unwritten, context: Context): Reply {
  const detail = problem ?? 'The operation did not succeed';
  const made = problemReply(context, status, detail, extra);
  return flat(headers).length === 0 ? made : replyWith(made, { headers: withDefaults(flat(made.headers), headers) });
}

/**
 * The reply with its body: a problem as this application writes it, a value as JSON. Throws an `InvalidReply` for a
 * location, of which only the route can make a path.
 */
export function written(reply: Reply, context: Context, maker: NameOfMaker): Reply {
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
