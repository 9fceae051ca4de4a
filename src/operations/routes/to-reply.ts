/** Turns the result of an operation into the reply to send: serializes the value, sets headers, evaluates conditions. */
import { Readable } from 'node:stream';
import type { Context } from '../../core/http/context.ts';
import { precondition } from '../../core/http/headers/conditional.ts';
import { contentTypeOf, preferredMediaType } from '../../core/http/headers/content-type.ts';
import {
  API_POLICY,
  flat,
  isContentLength,
  isOfContent,
  isSameName,
  lineValue,
  withDefaults,
  withoutLines,
} from '../../core/http/headers/header-lines.ts';
import { problemReply } from '../../core/http/problem.ts';
import { checkedReply, discardReply, ReadyReply, readyReply } from '../../core/http/ready-reply.ts';
import { withHeaders } from '../../core/http/replies.ts';
import { headFault, InvalidReply, type Reply, type ReplyBody, replyFault } from '../../core/http/reply.ts';
import { contentOf, entityTag, isRepresentation } from '../../core/http/representation.ts';
import type { RouteInput } from '../../core/routing/route.ts';
import { bodyWriter, sentMediaTypes, writtenMediaTypes } from '../media-types/body-writers.ts';
import { contentFault } from '../media-types/content-fault.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration } from '../operation/operation.ts';
import { failureTo } from '../operation/operation-reference.ts';
import type { Location, Result } from '../operation/results.ts';

/** A client may cache the reply, but must revalidate it each time. */
const REVALIDATED = ['Cache-Control', 'no-cache'];

/** The parts of a reply with one status that do not depend on the request. */
interface PreparedResponse {
  readonly declared: ResponseDeclaration;
  readonly hasBody: boolean;
  /** Whether the conditions of a request are evaluated (D38). */
  readonly isConditional: boolean;
  /** The header lines of a value, for each media type. */
  readonly ofValue: readonly (readonly string[])[];
  /** The header lines of a value that a store keeps, for each media type. */
  readonly ofStored: readonly (readonly string[])[];
}

/**
 * Returns a function that turns what a handler returned into the reply to send. If the reply cannot be sent, the
 * function destroys its stream and throws an `InvalidReply`.
 */
export function replyWriter(routed: RoutedOperation): (returned: Result | Reply, input: RouteInput) => Reply {
  const { operation, id, nameOf } = routed;
  const mediaTypes = writtenMediaTypes(operation);
  const hasWriter = mediaTypes.map((mediaType) => operation.writers?.[mediaType] !== undefined);
  const writtenBody = bodyWriter(routed);
  const hasChoice = mediaTypes.length > 1;
  const subject = (): string => `the operation "${id}"`;
  const invalid = (fault: string): InvalidReply => new InvalidReply(`The operation "${id}" returned ${fault}`);
  const prepare = (declared: ResponseDeclaration, status?: string): PreparedResponse =>
    prepared(declared, mediaTypes, operation.method === 'GET' && status === '200');
  const responses = new Map(
    Object.entries(operation.responses).map(([status, declared]) => [Number(status), prepare(declared, status)]),
  );
  const undeclared = prepare({});

  return function write(returned, input) {
    try {
      if (!(returned instanceof ReadyReply || isReply(returned))) return toReply(returned, input);
      const reply = readyReply(returned as Reply, input.context, subject);
      // An error that is already serialized is sent unchanged. Other replies get headers and conditions, too.
      return reply.status >= 400 ? reply : toReply(resultOf(reply), input);
    } catch (error) {
      discardReply(returned);
      throw error;
    }
  };

  function toReply(result: Result, input: RouteInput): Reply {
    const { context } = input;
    const { status, problem, value, location, headers, etag } = result;
    const response = responses.get(status) ?? undeclared;
    if (problem !== undefined || status >= 400) {
      if (value !== undefined) discardReply(result);
      return problemOf(result, context);
    }
    const { schema } = response.declared;
    if ((value !== undefined) !== response.hasBody) throw invalid(bodyFault(result, response));
    const stored = isRepresentation(value) ? value : undefined;
    /** The index of the media type of the reply. */
    const chosen = schema !== undefined && hasChoice ? preferredMediaType(context.headers.accept, mediaTypes) : 0;
    const tag = stored?.version === undefined ? etag : entityTag(stored.version, chosen);
    const lines = [...(stored === undefined ? response.ofValue : response.ofStored)[chosen]!];
    if (tag !== undefined) lines.push('ETag', tag);
    if (location !== undefined) lines.push('Location', pathTo(location, input));
    // The headers of the handler replace those of the declaration.
    const all = headers === undefined ? lines : withDefaults(lines, ownLines(result, chosen, response.declared));

    const { 'if-none-match': noneMatch, 'if-match': match } = context.headers;
    if (response.isConditional && (noneMatch ?? match) !== undefined) {
      // Without an ETag, only `*` matches (D38, D82).
      const unmet = precondition(context.headers, { etag: tag ?? lineValue(all, 'ETag') });
      if (unmet !== undefined) discardReply(result);
      if (unmet === 412) return problemReply(context, 412, 'The ETag does not meet If-Match; read the resource again');
      // A 304 repeats these headers of the 200 (RFC 9110 §15.4.5).
      if (unmet === 304) return new ReadyReply(304, withoutLines(all, isOfContent));
    }
    if (schema === undefined) return unchanged(result, all, response);
    const sendsStoredText = stored !== undefined && !hasWriter[chosen];
    const { body, length } = sendsStoredText ? contentOf(stored) : writtenBody(status, value, chosen);
    return new ReadyReply(status, length === undefined ? all : [...all, 'Content-Length', String(length)], body);
  }

  /** Returns the reply for a text, bytes or a stream that the handler returned, or for no body. */
  function unchanged({ status, value }: Result, lines: readonly string[], { declared }: PreparedResponse): Reply {
    const body = value as ReplyBody | undefined;
    if (declared.mediaTypes !== undefined && lineValue(lines, 'Content-Type') === undefined)
      throw invalid(`a ${status} without its media type; add the header Content-Type`);
    if (body === undefined && (status === 204 || status === 304)) return new ReadyReply(status, lines);
    const fault = replyFault({ status, headers: lines, body });
    if (fault !== undefined) throw invalid(`a reply with ${fault}`);
    return checkedReply({ status, headers: lines, body });
  }

  function pathTo({ to, values }: Location, { context, route, routes }: RouteInput): string {
    const from = { name: nameOf(to), scope: route.scope };
    const link = from.name === undefined ? undefined : routes.link(values, from);
    if (link !== undefined) return context.basePath + link.path;
    throw failureTo(`the Location of "${id}"`, values, from, routes);
  }

  /** Returns the header lines of the handler. Throws an `InvalidReply` for a line that cannot be sent. */
  function ownLines(result: Result, chosen: number, declared: ResponseDeclaration) {
    const { status, headers = [] } = result;
    const lines = flat(headers);
    const fault = headFault(status, headers) ?? contentFault(result, lines, declared);
    if (fault !== undefined) throw invalid(fault);
    // Each representation needs a separate strong tag (D8).
    const isTag = (line: number): boolean => line % 2 === 1 && isSameName(lines[line - 1]!, 'ETag');
    return chosen === 0 ? lines : lines.map((text, line) => (isTag(line) ? text.replace(/"$/, `-${chosen}"`) : text));
  }

  /** Returns the result that a reply stands for: its body is the value, which is sent unchanged. */
  function resultOf({ status, headers, body }: ReadyReply): Result {
    if (responses.get(status)?.declared.schema !== undefined)
      throw invalid(`a reply for the ${status}, which declares a schema; return the value, as in ok(value)`);
    return {
      status,
      headers: body instanceof Readable ? headers : withoutLines(headers, isContentLength),
      value: body,
    };
  }
}

/** Prepares the header lines of a response for each media type. */
function prepared(
  declared: ResponseDeclaration,
  mediaTypes: readonly string[],
  isConditional: boolean,
): PreparedResponse {
  const { schema, mediaType } = declared;
  const types = schema !== undefined ? mediaTypes : [mediaType];
  const policy = schema !== undefined && mediaTypes.length > 1 ? ['Vary', 'Accept', ...API_POLICY] : API_POLICY;
  const typeOf = (type: string | undefined) => (type === undefined ? [] : ['Content-Type', contentTypeOf(type)]);
  return {
    declared,
    hasBody: schema !== undefined || sentMediaTypes(declared).length > 0,
    isConditional,
    ofValue: types.map((type) => [...typeOf(type), ...policy]),
    ofStored: types.map((type) => [...typeOf(type), ...REVALIDATED, ...policy]),
  };
}

/** True for an object that a handler built as a reply, such as `{ status, headers, body }`; false for a result. */
const isReply = (returned: Result | Reply): returned is Reply =>
  typeof returned !== 'object' || returned === null || 'then' in returned || returned.body !== undefined;

/** Returns the reply for a problem. The headers of the result replace the headers of the problem. */
function problemOf(
  { status, problem = 'The operation did not succeed', extra, headers }: Result,
  context: Context,
): Reply {
  const reply = problemReply(context, status, problem, extra);
  return headers === undefined ? reply : withHeaders(reply, headers);
}

/** Returns the fault in a result that has a body without a declaration, or no body although one is declared. */
function bodyFault({ status }: Result, { hasBody }: PreparedResponse): string {
  if (hasBody) return `a ${status} without the body that it declares; use ok(…)`;
  return status === 204 || status === 304
    ? `a ${status} with a body; leave the body out, or return 200`
    : `a ${status} with a body, but declares no schema and no mediaType for it`;
}
