/**
 * Writes what the handler of an operation returned as the operation declares it: media type, ETag, conditions,
 * Location, problem.
 */

import { Readable } from 'node:stream';
import type { Context } from '../../message/context.ts';
import { entityTag, precondition } from '../../message/headers/conditional.ts';
import { contentTypeOf } from '../../message/headers/content-type.ts';
import {
  isContentLength,
  isOfContent,
  isSameName,
  lineValue,
  withDefaults,
  withoutLines,
} from '../../message/headers/header-lines.ts';
import { preferredMediaType } from '../../message/headers/negotiation.ts';
import { API_POLICY } from '../../message/headers/reply-headers.ts';
import { problemReply } from '../../message/problem.ts';
import { checkedReturn, type NameOfMaker, recorded, writtenProblem } from '../../message/ready-reply.ts';
import {
  checkedReply,
  discardReply,
  isWritten,
  type Reply,
  trustedReply,
  type Unwritten,
} from '../../message/reply.ts';
import { InvalidReply, type ReplyBody, replyFault } from '../../message/reply-fault.ts';
import { isRepresentation } from '../../message/representation.ts';
import { quoted } from '../../options/assert-options.ts';
import type { RouteInput, RouteLinks } from '../../routing/route.ts';
import { BodyWriters } from '../media-types/body-writers.ts';
import type { Location } from '../operation/answers.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { ResponseDeclaration, Responses } from '../operation/operation.ts';
import { failureTo, type RouteNames } from '../operation/operation-reference.ts';
import type { PropertyNaming } from '../schema/names.ts';

/** A reply that was made, with what is still to be written. */
type Given = Reply & Unwritten & { readonly headers: readonly string[] };

/** The replies of one operation. */
export class OperationReplies {
  readonly #id: string;
  readonly #name: NameOfMaker;
  readonly #isGet: boolean;
  readonly #responses: Responses;
  readonly #writers: BodyWriters;
  readonly #contentTypes: readonly string[];
  /** Of the replies whose bodies are written here. */
  readonly #policy: readonly string[];
  readonly #nameOf: RouteNames;
  readonly #scopes: readonly string[] | undefined;

  constructor({ operation, controller, id, nameOf }: RoutedOperation, naming: PropertyNaming) {
    this.#id = id;
    this.#name = () => `the operation "${id}"`;
    this.#isGet = operation.method === 'GET';
    this.#responses = operation.responses;
    this.#writers = new BodyWriters(operation, id, naming);
    this.#contentTypes = this.#writers.mediaTypes.map(contentTypeOf);
    this.#policy = this.#writers.mediaTypes.length > 1 ? ['Vary', 'Accept', ...API_POLICY] : API_POLICY;
    this.#nameOf = nameOf;
    this.#scopes = controller.linkScopes;
  }

  /** The reply to send. Throws an `InvalidReply` for what cannot be sent, whose stream is then destroyed. */
  replyTo(returned: Reply, input: RouteInput): Reply {
    try {
      const given = checkedReturn(returned, this.#name) as Given;
      const reply = this.#written(given, input);
      // A source of rows is released with the stream that reads it.
      if (reply.body !== (given.body ?? given.value) && !(reply.body instanceof Readable)) discardReply(given);
      return recorded(reply, input.context, this.#name);
    } catch (error) {
      discardReply(returned);
      throw error;
    }
  }

  #written(given: Given, input: RouteInput): Reply {
    const { context } = input;
    const { status, problem, value, location } = given;
    // What is written already is sent as it is, `problemReply(context, …)` for example.
    if (status >= 400 && isWritten(given)) return given;
    const declared = this.#responses[status] ?? {};
    const { mediaTypes } = this.#writers;
    const at = declared.schema && mediaTypes.length > 1 ? preferredMediaType(context.headers.accept, mediaTypes) : 0;
    const kept = isRepresentation(value) ? value : undefined;
    this.#assertHeaders(given, declared.mediaType);
    if (problem !== undefined || status >= 400) return writtenProblem(given, given, context);
    this.#assertDeclared(given, declared);
    const tag = kept?.version === undefined ? undefined : entityTag(kept.version, at);
    const policy = declared.schema === undefined ? API_POLICY : this.#policy;
    const etag = tag === undefined ? [] : ['ETag', tag];
    const shared = kept === undefined ? policy : [...etag, ...REVALIDATED, ...policy];
    const own = ownLines(given, at, declared);
    const behind =
      location === undefined ? own : [...own, 'Location', input.linkBase + this.#pathTo(location, input.routes)];
    if (status === 200 && this.#isGet && isConditional(context)) {
      // Without a tag `*` matches what is here, and no tag does (D38, D82).
      const unmet = precondition(context.headers, { etag: tag ?? lineValue(own, 'ETag') });
      if (unmet === 412) return problemReply(context, 412, 'What is here is not what If-Match names; read it again');
      // What a 304 repeats of the 200 (RFC 9110 §15.4.5).
      if (unmet === 304) return trustedReply(304, withoutLines(withDefaults(shared, behind), isOfContent));
    }
    if (declared.schema !== undefined) {
      const { body, length } = kept
        ? this.#writers.writeKept(status, kept, at)
        : this.#writers.write(status, value, at);
      const type = this.#contentTypes[at]!;
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
    const fault = body === undefined ? undefined : replyFault({ status, headers, body });
    if (fault !== undefined) throw this.#refused(`a reply with ${fault}`);
    return checkedReply({ status, headers, body });
  }

  /** A body that is not declared cannot be written, and one that is declared is not left out. */
  #assertDeclared(given: Given, { schema, mediaType }: ResponseDeclaration): void {
    const { status, value, body } = given;
    const isDeclared = schema !== undefined || mediaType !== undefined;
    const isGiven = value !== undefined || body !== undefined;
    if (isGiven && !isDeclared)
      throw this.#refused(
        status === 204 || status === 304
          ? `a ${status} with a body; leave it out, or answer 200`
          : `a ${status} with a body, for which it declares no schema and no mediaType`,
      );
    if (!isGiven && isDeclared) throw this.#refused(`a ${status} without the body that it declares; use ok(…)`);
    if (schema !== undefined && isGiven && value === undefined)
      throw this.#refused(
        `a ${status} that is written already; give the value, as in ok(value), and it is written here`,
      );
  }

  /** What follows from the body is given only by who writes the body. */
  #assertHeaders(given: Given, mediaType: string | undefined): void {
    for (let at = 0; at < given.headers.length; at += 2) {
      const fault = contentFault(given, given.headers[at]!, given.headers[at + 1]!, mediaType);
      if (fault !== undefined) throw this.#refused(fault);
    }
  }

  #refused(fault: string): InvalidReply {
    return new InvalidReply(`The operation "${this.#id}" returned ${fault}`);
  }

  #pathTo(location: NonNullable<Unwritten['location']>, links: RouteLinks): string {
    const { to, values } = location as Location;
    const from = { name: this.#nameOf(to), scopes: this.#scopes };
    const link = from.name === undefined ? undefined : links.link(values, from);
    if (link !== undefined) return link.path;
    throw failureTo(`the Location of "${this.#id}"`, values, from, links);
  }
}

/** A client may keep the reply, and asks each time whether it still holds. */
const REVALIDATED = ['Cache-Control', 'no-cache'] as const;

const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/**
 * What is wrong with a header that follows from the body; undefined for others. Who writes the body of a `mediaType`
 * may name it, and the length of a stream.
 */
function contentFault(given: Given, name: string, text: string, mediaType: string | undefined): string | undefined {
  if (!isOfContent(name)) return undefined;
  const { status, value } = given;
  const isLength = isContentLength(name);
  // That of a written body was checked with it, and where the value is written here, both headers are.
  if (isWritten(given) && (isLength || value !== undefined)) return undefined;
  if (isLength && mediaType !== undefined && value instanceof Readable) return undefined;
  if (isLength || mediaType === undefined) return `the header ${name}, which follows from the body; leave it out`;
  const declared = contentTypeOf(mediaType);
  return text === declared
    ? undefined
    : `a ${status} of the type ${quoted(text)}, but it declares ${quoted(declared)}; give the one or declare the other`;
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
