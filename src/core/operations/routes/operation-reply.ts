/**
 * Makes the reply of an operation's answer: media type, ETag, conditions, Location, problem.
 *
 * The reply for a representation is made once and kept with it. A later reader of the same item costs a look-up, and
 * its 304 not even a body.
 */

import { discardReply, InvalidReply, trustReply } from '../../message/check-reply.ts';
import type { Context, Reply, ReplyBody } from '../../message/context.ts';
import { entityTag } from '../../message/headers/conditional.ts';
import { contentTypeOf } from '../../message/headers/content-type.ts';
import { preferredMediaType } from '../../message/headers/negotiation.ts';
import { API_POLICY } from '../../message/headers/reply-headers.ts';
import { problemReply } from '../../message/problem.ts';
import { type LinkValues, linkTexts } from '../../routing/link-values.ts';
import type { RouteLinks } from '../../routing/route.ts';
import { RouteCollection } from '../../routing/route-collection.ts';
import { answerFault } from '../answers/answer-fault.ts';
import { tagOf, withDefaults, withoutContent, withTagOf } from '../answers/answer-headers.ts';
import { BodyWriters } from '../media-types/body-writers.ts';
import type { Answer, Location } from '../operation/answers.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import { missingRoute } from '../operation/declared-locations.ts';
import { type OperationNames, routeNameOf } from '../operation/operation-reference.ts';
import {
  isRepresentation,
  isStreamed,
  KeptReplies,
  NO_REPLIES,
  type Representation,
  type StreamedRepresentation,
} from '../operation/representation.ts';
import type { Responses } from '../operation/response.ts';
import type { PropertyNaming } from '../schema/names.ts';
import { conditionalReply, isConditional } from './conditional-reply.ts';

type Kept = Representation<unknown> | StreamedRepresentation<unknown>;

/** The replies of one operation. */
export class OperationReplies {
  readonly #id: string;
  readonly #isGet: boolean;
  readonly #responses: Responses;
  readonly #writers: BodyWriters;
  readonly #vary: readonly string[];
  readonly #names: OperationNames;
  readonly #scopes: readonly string[] | undefined;

  /** `names` has the route names of the operations of the same controller, once all of them are routed. */
  constructor({ operation, controller, id }: RoutedOperation, names: OperationNames, naming: PropertyNaming) {
    this.#id = id;
    this.#isGet = operation.method === 'GET';
    this.#responses = operation.responses;
    this.#writers = new BodyWriters(operation, id, naming);
    this.#vary = this.#writers.mediaTypes.length > 1 ? ['Vary', 'Accept'] : [];
    this.#names = names;
    this.#scopes = controller.linkScopes;
  }

  /** The reply to send. Throws an `InvalidReply` for an answer that cannot be sent, whose stream is then destroyed. */
  replyTo(answer: Answer, context: Context, links: RouteLinks): Reply {
    try {
      const reply = this.#made(answer, context, links);
      if (reply.body !== answer.body) discardReply(answer as Reply);
      return reply;
    } catch (error) {
      discardReply(answer as Reply);
      throw error;
    }
  }

  #made(answer: Answer, context: Context, links: RouteLinks): Reply {
    const fault = answerFault(answer, this.#responses) ?? this.#bodyFault(answer);
    if (fault !== undefined) throw new InvalidReply(`The operation "${this.#id}" returned ${fault}`);
    const { status, body } = answer;
    if (answer.problem !== undefined || status >= 400) return trustReply(problem(answer, context), context);
    if (body === undefined) return this.#withoutBody(answer, context, links);
    const mediaType = this.#responses[status]?.mediaType;
    // What a handler made itself is checked as the reply of any stage.
    if (mediaType !== undefined) return this.#sentAsGiven(answer, mediaType, context, links);
    const { mediaTypes } = this.#writers;
    const at = mediaTypes.length < 2 ? 0 : preferredMediaType(context.headers.accept, mediaTypes);
    const reply = isRepresentation(body)
      ? this.#represented(answer, body, at, context, links)
      : this.#written(answer, at, context, links);
    return trustReply(reply, context);
  }

  /** A body that is not declared cannot be written, and one that is declared is not left out. */
  #bodyFault({ status, problem, body }: Answer): string | undefined {
    if (problem !== undefined || status >= 400) return undefined;
    const { schema, mediaType } = this.#responses[status] ?? {};
    const isDeclared = schema !== undefined || mediaType !== undefined;
    if (body === undefined) return isDeclared ? `a ${status} without the body that it declares; use ok(…)` : undefined;
    return isDeclared ? undefined : `a ${status} with a body, for which it declares no schema and no mediaType`;
  }

  /** A 204 and a 304 have no length; that of the others is added where the reply is checked. */
  #withoutBody(answer: Answer, context: Context, links: RouteLinks): Reply {
    const { status } = answer;
    const unchanged = this.#unchanged(answer, [], context, links);
    if (unchanged !== undefined) return trustReply(unchanged, context);
    if (status === 204)
      return trustReply({ status, headers: this.#complete([...API_POLICY], answer, context, links) }, context);
    const reply = { status, headers: this.#complete(withDefaults(API_POLICY, answer), answer, context, links) };
    return status === 304 ? trustReply(reply, context) : reply;
  }

  #sentAsGiven(answer: Answer, mediaType: string, context: Context, links: RouteLinks): Reply {
    const body = answer.body as ReplyBody;
    const unchanged = this.#unchanged(answer, [], context, links);
    if (unchanged !== undefined) return unchanged;
    const lines = withDefaults(['Content-Type', contentTypeOf(mediaType), ...API_POLICY], answer);
    return { status: answer.status, headers: this.#complete(lines, answer, context, links), body };
  }

  #represented(answer: Answer, kept: Kept, at: number, context: Context, links: RouteLinks): Reply {
    const { status } = answer;
    if (status === 200 && this.#isGet && isConditional(context)) {
      const unchanged = () => this.#complete([...this.#validators(kept, at), ...API_POLICY], answer, context, links);
      const etag = kept.version === undefined ? undefined : entityTag(kept.version, at);
      const conditional = conditionalReply(etag, context, unchanged);
      if (conditional !== undefined) return conditional;
    }
    const made = kept.replies.of(this, at);
    const isShared = status === 200 && answer.headers === undefined && answer.location === undefined;
    if (made !== undefined && isShared) return made;
    const { body, length } = this.#writers.writeKept(status, kept, at);
    const lines = [...this.#contentLines(at, length), ...this.#validators(kept, at), ...API_POLICY];
    // Kept with each of a million new items, a reply with headers of its own would take more memory than they do.
    if (!isShared || isStreamed(kept)) return { status, headers: this.#complete(lines, answer, context, links), body };
    // Shared by readers: a stage that changed it would change the replies to others.
    const reply = Object.freeze({ status, body, headers: Object.freeze(lines) });
    if (kept.replies === NO_REPLIES) kept.replies = new KeptReplies(this);
    kept.replies.keep(this, at, reply);
    return reply;
  }

  /** The reply with a body that is written now. */
  #written(given: Answer, at: number, context: Context, links: RouteLinks): Reply {
    const answer = at === 0 ? given : withTagOf(given, at);
    const unchanged = this.#unchanged(answer, this.#vary, context, links);
    if (unchanged !== undefined) return unchanged;
    const { status } = answer;
    const { body, length } = this.#writers.write(status, answer.body, at);
    const lines = [...this.#contentLines(at, length), ...this.#vary, ...API_POLICY];
    return { status, headers: this.#complete(lines, answer, context, links), body };
  }

  /** The 304 or 412 for the ETag that a handler gave its answer; without one `*` matches, and no tag (D82). */
  #unchanged(answer: Answer, vary: readonly string[], context: Context, links: RouteLinks): Reply | undefined {
    if (answer.status !== 200 || !this.#isGet || !isConditional(context)) return undefined;
    const unchanged = () =>
      this.#complete(withDefaults([...vary, ...API_POLICY], answer), withoutContent(answer), context, links);
    return conditionalReply(tagOf(answer), context, unchanged);
  }

  #contentLines(at: number, length: number | undefined): string[] {
    const lines = ['Content-Type', contentTypeOf(this.#writers.mediaTypes[at]!)];
    return length === undefined ? lines : [...lines, 'Content-Length', String(length)];
  }

  /** What a 304 repeats of the 200 (RFC 9110 §15.4.5). */
  #validators({ version }: Kept, at: number): string[] {
    const tag = version === undefined ? [] : ['ETag', entityTag(version, at)];
    return [...tag, 'Cache-Control', 'no-cache', ...this.#vary];
  }

  /** These header lines, and those of the answer behind them. */
  #complete(lines: string[], { headers, location }: Answer, context: Context, links: RouteLinks): string[] {
    for (const name in headers) lines.push(name, headers[name]!);
    if (location !== undefined) lines.push('Location', context.basePath + this.#pathTo(location, links));
    return lines;
  }

  #pathTo({ to, values }: Location, links: RouteLinks): string {
    const name = routeNameOf(to, this.#names);
    const link = name === undefined ? undefined : links.link(values, { name, scopes: this.#scopes });
    if (link !== undefined) return link.path;
    const cause =
      name === undefined
        ? 'its operation is none of the same plugin'
        : ((links instanceof RouteCollection ? missingRoute(name, this.#scopes, links) : undefined) ??
          `the route "${name}" has no path for these values`);
    throw new Error(`Cannot make the Location of "${this.#id}" for ${textOf(values)}: ${cause}`);
  }
}

const textOf = (values: LinkValues): string =>
  JSON.stringify(Object.fromEntries([...linkTexts(values).values()].map(({ name, text }) => [name, text])));

function problem({ status, problem: detail, errors, members, headers }: Answer, context: Context): Reply {
  const extra =
    errors || members || headers ? { ...members, ...(errors && { errors }), ...(headers && { headers }) } : undefined;
  return problemReply(context, status, detail ?? 'The operation did not succeed', extra);
}
