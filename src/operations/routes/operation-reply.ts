/**
 * Writes what the handler of an operation returned as the operation declares it: media type, ETag, conditions,
 * Location, problem.
 */

import { Readable } from 'node:stream';
import type { Context } from '../../core/message/context.ts';
import { precondition } from '../../core/message/headers/conditional.ts';
import { contentTypeOf } from '../../core/message/headers/content-type.ts';
import { entityTag } from '../../core/message/headers/entity-tag.ts';
import {
  isContentLength,
  isOfContent,
  isSameName,
  lineValue,
  withDefaults,
  withoutLines,
} from '../../core/message/headers/header-lines.ts';
import { preferredMediaType } from '../../core/message/headers/negotiation.ts';
import { API_POLICY } from '../../core/message/headers/reply-headers.ts';
import { discardReply, isWritten, trustedReply } from '../../core/message/made-reply.ts';
import { problemReply } from '../../core/message/problem.ts';
import { checkedReturn } from '../../core/message/ready-reply.ts';
import { checkedReply } from '../../core/message/replies.ts';
import type { Reply, Unwritten } from '../../core/message/reply.ts';
import { InvalidReply, type ReplyBody, replyFault } from '../../core/message/reply-fault.ts';
import { contentOf, isRepresentation } from '../../core/message/representation.ts';
import { writtenProblem } from '../../core/message/written-reply.ts';
import { quoted } from '../../core/options/assert-options.ts';
import type { RouteInput, RouteLinks } from '../../core/routing/route.ts';
import { bodyWriters } from '../media-types/body-writers.ts';
import type { Location } from '../operation/answers.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration } from '../operation/operation.ts';
import { failureTo } from '../operation/operation-reference.ts';

/** A returned reply, with the parts that are still to be written. */
type Given = Reply & Unwritten & { readonly headers: readonly string[] };

/**
 * Returns the function that makes the reply to send of what the handler of an operation returned. It throws an
 * `InvalidReply` for what cannot be sent, whose stream is then destroyed.
 */
export function replyWriter(
  { operation, id, nameOf, naming }: RoutedOperation,
  scopes: readonly string[] | undefined,
): (returned: Reply, input: RouteInput) => Reply {
  const writers = bodyWriters(operation, id, naming);
  const { mediaTypes } = writers;
  const hasWriter = mediaTypes.map((mediaType) => operation.writers?.[mediaType] !== undefined);
  const contentTypes = mediaTypes.map(contentTypeOf);
  const isGet = operation.method === 'GET';
  /** Of the replies whose bodies are written here. */
  const writtenPolicy = mediaTypes.length > 1 ? ['Vary', 'Accept', ...API_POLICY] : API_POLICY;
  const refused = (fault: string): InvalidReply => new InvalidReply(`The operation "${id}" returned ${fault}`);

  function written(given: Given, input: RouteInput): Reply {
    const { context } = input;
    const { status, problem, value, location } = given;
    // An error that is written already is sent as it is: `json(…)` with a status of 400 or more.
    if (status >= 400 && isWritten(given)) return given;
    const declared: ResponseDeclaration = operation.responses[status] ?? {};
    const at = declared.schema && mediaTypes.length > 1 ? preferredMediaType(context.headers.accept, mediaTypes) : 0;
    const kept = isRepresentation(value) ? value : undefined;
    const headerFault = contentFault(given, declared.mediaType);
    if (headerFault !== undefined) throw refused(headerFault);
    if (problem !== undefined || status >= 400) return writtenProblem(given, given, context);
    const fault = bodyFault(given, declared);
    if (fault !== undefined) throw refused(fault);
    const tag = kept?.version === undefined ? undefined : entityTag(kept.version, at);
    const policy = declared.schema === undefined ? API_POLICY : writtenPolicy;
    const etag = tag === undefined ? [] : ['ETag', tag];
    const shared = kept === undefined ? policy : [...etag, ...REVALIDATED, ...policy];
    const own = ownLines(given, at, declared);
    const behind =
      location === undefined ? own : [...own, 'Location', input.linkBase + pathTo(location as Location, input.routes)];
    if (status === 200 && isGet && isConditional(context)) {
      // Without a tag `*` matches what is here, and no tag does (D38, D82).
      const unmet = precondition(context.headers, { etag: tag ?? lineValue(own, 'ETag') });
      if (unmet === 412) return problemReply(context, 412, 'What is here is not what If-Match names; read it again');
      // What a 304 repeats of the 200 (RFC 9110 §15.4.5).
      if (unmet === 304) return trustedReply(304, withoutLines(withDefaults(shared, behind), isOfContent));
    }
    if (declared.schema !== undefined) {
      const { body, length } =
        kept === undefined
          ? writers.write(status, value, at)
          : hasWriter[at]
            ? writers.rewrite(status, kept, at)
            : contentOf(kept);
      const type = contentTypes[at]!;
      const content =
        length === undefined
          ? ['Content-Type', type, ...shared]
          : ['Content-Type', type, 'Content-Length', String(length), ...shared];
      return trustedReply(status, withDefaults(content, behind), body, kept);
    }
    const { mediaType } = declared;
    const headers = withDefaults(
      mediaType === undefined ? shared : ['Content-Type', contentTypeOf(mediaType), ...shared],
      behind,
    );
    const body = given.body ?? (value as ReplyBody | undefined);
    // Its own lines were checked where it was made.
    const sendFault = body === undefined ? undefined : replyFault({ status, headers, body });
    if (sendFault !== undefined) throw refused(`a reply with ${sendFault}`);
    return checkedReply({ status, headers, body });
  }

  function pathTo({ to, values }: Location, links: RouteLinks): string {
    const from = { name: nameOf(to), scopes };
    const link = from.name === undefined ? undefined : links.link(values, from);
    if (link !== undefined) return link.path;
    throw failureTo(`the Location of "${id}"`, values, from, links);
  }

  return (returned, input) => {
    try {
      const given = checkedReturn(returned, () => `the operation "${id}"`) as Given;
      const reply = written(given, input);
      // A source of rows is released with the stream that reads it.
      if (reply.body !== (given.body ?? given.value) && !(reply.body instanceof Readable)) discardReply(given);
      return reply;
    } catch (error) {
      discardReply(returned);
      throw error;
    }
  };
}

/** The fault of a body that is not declared, and of a declared body that is left out. */
function bodyFault(given: Given, { schema, mediaType }: ResponseDeclaration): string | undefined {
  const { status, value, body } = given;
  const isDeclared = schema !== undefined || mediaType !== undefined;
  const isGiven = value !== undefined || body !== undefined;
  if (isGiven && !isDeclared)
    return status === 204 || status === 304
      ? `a ${status} with a body; leave it out, or answer 200`
      : `a ${status} with a body, for which it declares no schema and no mediaType`;
  if (!isGiven && isDeclared) return `a ${status} without the body that it declares; use ok(…)`;
  if (schema !== undefined && isGiven && value === undefined)
    return `a ${status} that is written already; give the value, as in ok(value), and it is written here`;
  return undefined;
}

/** A client may keep the reply, and asks each time whether it still holds. */
const REVALIDATED = ['Cache-Control', 'no-cache'] as const;

const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/**
 * The fault of the headers that follow from the body. A handler that gives the body of a `mediaType` may give this
 * media type, and the length of a stream.
 */
function contentFault(given: Given, mediaType: string | undefined): string | undefined {
  const { status, headers, value } = given;
  for (let at = 0; at < headers.length; at += 2) {
    const [name, text] = [headers[at]!, headers[at + 1]!];
    if (!isOfContent(name)) continue;
    const isLength = isContentLength(name);
    // That of a written body was checked with it, and where the value is written here, both headers are.
    if (isWritten(given) && (isLength || value !== undefined)) continue;
    if (isLength && mediaType !== undefined && value instanceof Readable) continue;
    if (isLength || mediaType === undefined) return `the header ${name}, which follows from the body; leave it out`;
    const declared = contentTypeOf(mediaType);
    if (text !== declared)
      return `a ${status} of the type ${quoted(text)}, but it declares ${quoted(declared)}; give the one or declare the other`;
  }
  return undefined;
}

/** The header lines of its own, without those of a body that is written here. */
function ownLines({ headers, value, body }: Given, at: number, { schema }: ResponseDeclaration): readonly string[] {
  if (headers.length === 0) return headers;
  const own =
    schema !== undefined && value !== undefined && body !== undefined ? withoutLines(headers, isOfContent) : headers;
  // A strong tag is that of one representation (D8).
  return at === 0
    ? own
    : own.map((text, line) => (isSameName(own[line - 1] ?? '', 'ETag') ? text.replace(/"$/, `-${at}"`) : text));
}
