/** Turns the reply of a handler into the reply to send: serializes the value, sets headers and evaluates conditions. */
import { Readable } from 'node:stream';
import type { Context } from '../../core/http/context.ts';
import { discardReply, isFrozenReply, isWritten, trustedReply } from '../../core/http/frozen-reply.ts';
import { precondition } from '../../core/http/headers/conditional.ts';
import { contentTypeOf, preferredMediaType } from '../../core/http/headers/content-type.ts';
import {
  API_POLICY,
  isContentLength,
  isOfContent,
  isSameName,
  lineValue,
  withDefaults,
  withoutLines,
} from '../../core/http/headers/header-lines.ts';
import { problemReply } from '../../core/http/problem.ts';
import { checkedReply } from '../../core/http/replies.ts';
import type { Reply, Unwritten } from '../../core/http/reply.ts';
import { InvalidReply, type ReplyBody, replyFault } from '../../core/http/reply-fault.ts';
import { contentOf, entityTag, isRepresentation } from '../../core/http/representation.ts';
import { replyOf, writtenProblem } from '../../core/http/written-reply.ts';
import { quoted } from '../../core/options/assert-options.ts';
import type { RouteInput } from '../../core/routing/route.ts';
import { bodyWriter, writtenMediaTypes } from '../media-types/body-writers.ts';
import type { Location } from '../operation/answers.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration } from '../operation/operation.ts';
import { failureTo } from '../operation/operation-reference.ts';

/** The reply of a handler, whose value may not be serialized yet. */
type HandlerReply = Reply & Unwritten & { readonly headers: readonly string[] };

/** A client may cache the reply, but must revalidate it each time. */
const REVALIDATED = ['Cache-Control', 'no-cache'];

/**
 * Returns a function that turns the result of an operation's handler into the reply to send. If the reply cannot be
 * sent, the function destroys its stream and throws an `InvalidReply`.
 */
export function replyWriter(routed: RoutedOperation): (returned: Reply, input: RouteInput) => Reply {
  const { operation, id, nameOf } = routed;
  const mediaTypes = writtenMediaTypes(operation);
  const contentTypes = mediaTypes.map(contentTypeOf);
  const hasWriter = mediaTypes.map((mediaType) => operation.writers?.[mediaType] !== undefined);
  const writtenBody = bodyWriter(routed);
  const isChosen = mediaTypes.length > 1;
  const writtenPolicy = isChosen ? ['Vary', 'Accept', ...API_POLICY] : API_POLICY;
  const invalid = (fault: string): InvalidReply => new InvalidReply(`The operation "${id}" returned ${fault}`);

  function written(returned: HandlerReply, input: RouteInput): Reply {
    const { context } = input;
    const { status, problem, value, location } = returned;
    // An error that is already serialized is sent unchanged: `json(…)` with a status of 400 or more.
    if (status >= 400 && isWritten(returned)) return returned;
    const declared: ResponseDeclaration = operation.responses[status] ?? {};
    const isProblem = problem !== undefined || status >= 400;
    const fault = headerFault(returned, declared) ?? (isProblem ? undefined : declarationFault(returned, declared));
    if (fault !== undefined) throw invalid(fault);
    if (isProblem) return writtenProblem(returned, returned, context);

    const { schema, mediaType } = declared;
    const stored = isRepresentation(value) ? value : undefined;
    const at = schema !== undefined && isChosen ? preferredMediaType(context.headers.accept, mediaTypes) : 0;
    const tag = stored?.version === undefined ? undefined : entityTag(stored.version, at);
    const policy = schema === undefined ? API_POLICY : writtenPolicy;
    const etag = tag === undefined ? [] : ['ETag', tag];
    const defaultLines = stored === undefined ? policy : [...etag, ...REVALIDATED, ...policy];
    const lines = handlerLines(returned, at, declared);
    const replyLines = location === undefined ? lines : [...lines, 'Location', pathTo(location as Location, input)];

    if (status === 200 && operation.method === 'GET' && isConditional(context)) {
      // Without an ETag, only `*` matches (D38, D82).
      const unmet = precondition(context.headers, { etag: tag ?? lineValue(replyLines, 'ETag') });
      if (unmet === 412) return problemReply(context, 412, 'The ETag does not meet If-Match; read the resource again');
      // A 304 repeats these headers of the 200 (RFC 9110 §15.4.5).
      if (unmet === 304) return trustedReply(304, withoutLines(withDefaults(defaultLines, replyLines), isOfContent));
    }
    if (schema !== undefined) {
      const isStored = stored !== undefined && !hasWriter[at];
      const { body, length } = isStored ? contentOf(stored) : writtenBody(status, value, at);
      const content = ['Content-Type', contentTypes[at]!];
      if (length !== undefined) content.push('Content-Length', String(length));
      return trustedReply(status, withDefaults([...content, ...defaultLines], replyLines), body, stored);
    }
    const content = mediaType === undefined ? [] : ['Content-Type', contentTypeOf(mediaType)];
    const headers = withDefaults([...content, ...defaultLines], replyLines);
    const body = returned.body ?? (value as ReplyBody | undefined);
    // The header lines were checked when the handler created the reply.
    const sendFault = body === undefined ? undefined : replyFault({ status, headers, body });
    if (sendFault !== undefined) throw invalid(`a reply with ${sendFault}`);
    return checkedReply({ status, headers, body });
  }

  function pathTo({ to, values }: Location, { context, route, routes }: RouteInput): string {
    const from = { name: nameOf(to), scope: route.scope };
    const link = from.name === undefined ? undefined : routes.link(values, from);
    if (link !== undefined) return context.basePath + link.path;
    throw failureTo(`the Location of "${id}"`, values, from, routes);
  }

  return (result, input) => {
    try {
      const returned = (
        isFrozenReply(result) ? result : replyOf(result, () => `the operation "${id}"`)
      ) as HandlerReply;
      const reply = written(returned, input);
      // A stream that reads from a source of rows releases the source itself.
      if (reply.body !== (returned.body ?? returned.value) && !(reply.body instanceof Readable)) discardReply(returned);
      return reply;
    } catch (error) {
      discardReply(result);
      throw error;
    }
  };
}

const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

function declarationFault(
  { status, value, body }: HandlerReply,
  { schema, mediaType }: ResponseDeclaration,
): string | undefined {
  const isDeclared = schema !== undefined || mediaType !== undefined;
  const hasBody = value !== undefined || body !== undefined;
  if (hasBody && !isDeclared)
    return status === 204 || status === 304
      ? `a ${status} with a body; leave the body out, or return 200`
      : `a ${status} with a body, but declares no schema and no mediaType for it`;
  if (!hasBody && isDeclared) return `a ${status} without the body that it declares; use ok(…)`;
  if (schema !== undefined && value === undefined)
    return `a ${status} that is written already; return the value, as in ok(value), so that the library writes it`;
  return undefined;
}

/**
 * Returns an error if the handler has set a header that the library derives from the body. If the response declares a
 * `mediaType`, the handler may set `Content-Type` to it, and the `Content-Length` of a stream.
 */
function headerFault(returned: HandlerReply, { mediaType }: ResponseDeclaration): string | undefined {
  const { status, headers, value } = returned;
  const declared = mediaType && contentTypeOf(mediaType);
  for (let at = 0; at < headers.length; at += 2) {
    const [name, text] = [headers[at]!, headers[at + 1]!];
    const isLength = isContentLength(name);
    // `json(…)` and other functions that serialize a body also set these headers.
    const isChecked = !isOfContent(name) || (isWritten(returned) && (isLength || value !== undefined));
    const isOfFile = isLength ? mediaType !== undefined && value instanceof Readable : text === declared;
    if (isChecked || isOfFile) continue;
    if (isLength || declared === undefined) return `the header ${name}, which follows from the body; leave it out`;
    return `a ${status} of the type ${quoted(text)}, but it declares ${quoted(declared)}; correct one of the two`;
  }
  return undefined;
}

/** Returns the header lines of the handler. Leaves out the headers of a body that is serialized again. */
function handlerLines(
  { headers, value, body }: HandlerReply,
  at: number,
  { schema }: ResponseDeclaration,
): readonly string[] {
  const isWrittenAgain = schema !== undefined && value !== undefined && body !== undefined;
  const lines = isWrittenAgain ? withoutLines(headers, isOfContent) : headers;
  if (at === 0) return lines;
  // Each representation needs a separate strong tag (D8).
  const isTag = (line: number): boolean => line % 2 === 1 && isSameName(lines[line - 1]!, 'ETag');
  return lines.map((text, line) => (isTag(line) ? text.replace(/"$/, `-${at}"`) : text));
}
