/**
 * Writes what the handler of an operation returned as the operation declares it: media type, ETag, conditions,
 * Location, problem.
 */
import { Readable } from 'node:stream';
import type { Context } from '../../core/message/context.ts';
import { precondition } from '../../core/message/headers/conditional.ts';
import { contentTypeOf, preferredMediaType } from '../../core/message/headers/content-type.ts';
import {
  API_POLICY,
  isContentLength,
  isOfContent,
  isSameName,
  lineValue,
  withDefaults,
  withoutLines,
} from '../../core/message/headers/header-lines.ts';
import { discardReply, isMade, isWritten, trustedReply } from '../../core/message/made-reply.ts';
import { problemReply } from '../../core/message/problem.ts';
import { checkedReply } from '../../core/message/replies.ts';
import type { Reply, Unwritten } from '../../core/message/reply.ts';
import { InvalidReply, type ReplyBody, replyFault } from '../../core/message/reply-fault.ts';
import { contentOf, entityTag, isRepresentation } from '../../core/message/representation.ts';
import { replyOf, writtenProblem } from '../../core/message/written-reply.ts';
import { quoted } from '../../core/options/assert-options.ts';
import type { RouteInput, RouteLinks } from '../../core/routing/route.ts';
import { bodyWriter, writtenMediaTypes } from '../media-types/body-writers.ts';
import type { Location } from '../operation/answers.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration } from '../operation/operation.ts';
import { failureTo } from '../operation/operation-reference.ts';

/** A returned reply, with the parts that are still to be written. */
type Given = Reply & Unwritten & { readonly headers: readonly string[] };

/** A client may keep the reply, and asks each time whether it still holds. */
const REVALIDATED = ['Cache-Control', 'no-cache'];

/**
 * Returns the function that makes the reply to send of what the handler of an operation returned. It throws an
 * `InvalidReply` for what cannot be sent, whose stream is then destroyed.
 */
export function replyWriter(
  routed: RoutedOperation,
  scopes: readonly string[] | undefined,
): (returned: Reply, input: RouteInput) => Reply {
  const { operation, id, nameOf } = routed;
  const mediaTypes = writtenMediaTypes(operation);
  const contentTypes = mediaTypes.map(contentTypeOf);
  const hasWriter = mediaTypes.map((mediaType) => operation.writers?.[mediaType] !== undefined);
  const writtenBody = bodyWriter(routed);
  const isChosen = mediaTypes.length > 1;
  const writtenPolicy = isChosen ? ['Vary', 'Accept', ...API_POLICY] : API_POLICY;
  const refused = (fault: string): InvalidReply => new InvalidReply(`The operation "${id}" returned ${fault}`);

  function written(given: Given, { context, linkBase, routes }: RouteInput): Reply {
    const { status, problem, value, location } = given;
    // An error that is written already is sent as it is: `json(…)` with a status of 400 or more.
    if (status >= 400 && isWritten(given)) return given;
    const declared: ResponseDeclaration = operation.responses[status] ?? {};
    const isProblem = problem !== undefined || status >= 400;
    const fault = headerFault(given, declared) ?? (isProblem ? undefined : declarationFault(given, declared));
    if (fault !== undefined) throw refused(fault);
    if (isProblem) return writtenProblem(given, given, context);

    const { schema, mediaType } = declared;
    const kept = isRepresentation(value) ? value : undefined;
    const at = schema !== undefined && isChosen ? preferredMediaType(context.headers.accept, mediaTypes) : 0;
    const tag = kept?.version === undefined ? undefined : entityTag(kept.version, at);
    const policy = schema === undefined ? API_POLICY : writtenPolicy;
    const etag = tag === undefined ? [] : ['ETag', tag];
    const shared = kept === undefined ? policy : [...etag, ...REVALIDATED, ...policy];
    const lines = ownLines(given, at, declared);
    const own =
      location === undefined ? lines : [...lines, 'Location', linkBase + pathTo(location as Location, routes)];

    if (status === 200 && operation.method === 'GET' && isConditional(context)) {
      // Without a tag `*` matches what is here, and no tag does (D38, D82).
      const unmet = precondition(context.headers, { etag: tag ?? lineValue(own, 'ETag') });
      if (unmet === 412) return problemReply(context, 412, 'What is here is not what If-Match names; read it again');
      // What a 304 repeats of the 200 (RFC 9110 §15.4.5).
      if (unmet === 304) return trustedReply(304, withoutLines(withDefaults(shared, own), isOfContent));
    }
    if (schema !== undefined) {
      const { body, length } = kept === undefined || hasWriter[at] ? writtenBody(status, value, at) : contentOf(kept);
      const content = ['Content-Type', contentTypes[at]!];
      if (length !== undefined) content.push('Content-Length', String(length));
      return trustedReply(status, withDefaults([...content, ...shared], own), body, kept);
    }
    const content = mediaType === undefined ? [] : ['Content-Type', contentTypeOf(mediaType)];
    const headers = withDefaults([...content, ...shared], own);
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
      const given = (isMade(returned) ? returned : replyOf(returned, () => `the operation "${id}"`)) as Given;
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

const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/** The fault of a body that is not declared, and of a declared body that is left out. */
function declarationFault(
  { status, value, body }: Given,
  { schema, mediaType }: ResponseDeclaration,
): string | undefined {
  const isDeclared = schema !== undefined || mediaType !== undefined;
  const isGiven = value !== undefined || body !== undefined;
  if (isGiven && !isDeclared)
    return status === 204 || status === 304
      ? `a ${status} with a body; leave it out, or answer 200`
      : `a ${status} with a body, for which it declares no schema and no mediaType`;
  if (!isGiven && isDeclared) return `a ${status} without the body that it declares; use ok(…)`;
  if (schema !== undefined && value === undefined)
    return `a ${status} that is written already; give the value, as in ok(value), and it is written here`;
  return undefined;
}

/**
 * The fault of the headers that follow from the body. A handler that gives the body of a `mediaType` may give this
 * media type, and the length of a stream.
 */
function headerFault(given: Given, { mediaType }: ResponseDeclaration): string | undefined {
  const { status, headers, value } = given;
  const declared = mediaType && contentTypeOf(mediaType);
  for (let at = 0; at < headers.length; at += 2) {
    const [name, text] = [headers[at]!, headers[at + 1]!];
    const isLength = isContentLength(name);
    // That of a written body was checked with it, and where the value is written here, both headers are.
    const isChecked = !isOfContent(name) || (isWritten(given) && (isLength || value !== undefined));
    const isOfFile = isLength ? mediaType !== undefined && value instanceof Readable : text === declared;
    if (isChecked || isOfFile) continue;
    if (isLength || declared === undefined) return `the header ${name}, which follows from the body; leave it out`;
    return `a ${status} of the type ${quoted(text)}, but it declares ${quoted(declared)}; give the one or declare the other`;
  }
  return undefined;
}

/** The header lines of its own, without those of a body that is written here. */
function ownLines({ headers, value, body }: Given, at: number, { schema }: ResponseDeclaration): readonly string[] {
  const isWrittenAgain = schema !== undefined && value !== undefined && body !== undefined;
  const own = isWrittenAgain ? withoutLines(headers, isOfContent) : headers;
  if (at === 0) return own;
  // A strong tag is that of one representation (D8).
  const isTag = (line: number): boolean => line % 2 === 1 && isSameName(own[line - 1]!, 'ETag');
  return own.map((text, line) => (isTag(line) ? text.replace(/"$/, `-${at}"`) : text));
}
