/**
 * Makes the reply of an operation's answer: media type, ETag, conditions, Location, problem.
 *
 * The reply for a representation is made once and kept with it. A later reader of the same item costs a look-up, and
 * its 304 not even a body.
 */
import { precondition } from '../../http/headers/conditional.ts';
import { entityTag } from '../../http/headers/entity-tag.ts';
import { contentTypeOf } from '../../http/headers/media-types.ts';
import { preferredMediaType } from '../../http/headers/negotiation.ts';
import { API_POLICY } from '../../http/headers/security-headers.ts';
import { InvalidReply, trustReply } from '../../http/message/check-reply.ts';
import type { Context, Reply } from '../../http/message/context.ts';
import { problemReply } from '../../http/message/problem.ts';
import type { RouteLinks } from '../../routing/route/route.ts';
import {
  type Answer,
  isRepresentation,
  type Location,
  type OperationNames,
  type Representation,
  routeNameOf,
} from '../operation/answers.ts';
import { producedMediaTypes, type RoutedOperation } from '../operation/controller.ts';
import type { PropertyNaming } from '../schema/property-naming.ts';
import { serializer } from '../schema/serialize.ts';
import { answerFault } from './answer-fault.ts';

/** The replies of one operation. */
export class OperationReplies {
  readonly #id: string;
  readonly #isGet: boolean;
  readonly #mediaTypes: readonly string[];
  readonly #vary: readonly string[];
  readonly #names: OperationNames;
  readonly #writers = new Map<number, (value: unknown) => string>();

  /** `names` has the route names of the operations of the same controller, once all of them are routed. */
  constructor({ operation, id }: RoutedOperation, names: OperationNames, naming: PropertyNaming) {
    this.#id = id;
    this.#isGet = operation.method === 'GET';
    this.#mediaTypes = producedMediaTypes(operation);
    this.#vary = this.#mediaTypes.length > 1 ? ['Vary', 'Accept'] : [];
    this.#names = names;
    for (const [status, { schema }] of Object.entries(operation.responses)) {
      if (schema !== undefined)
        this.#writers.set(Number(status), serializer(schema, naming) as (value: unknown) => string);
    }
  }

  /** The reply to send. Throws an `InvalidReply` for an answer that cannot be sent. */
  replyTo(answer: Answer, context: Context, links: RouteLinks): Reply {
    const fault = answerFault(answer);
    if (fault !== undefined) throw new InvalidReply(`The operation "${this.#id}" returned ${fault}`);
    return trustReply(this.#make(answer, context, links), context);
  }

  #make(answer: Answer, context: Context, links: RouteLinks): Reply {
    const { status, body } = answer;
    if (answer.problem !== undefined || status >= 400) return problem(answer, context);
    if (body === undefined) return { status, headers: this.#complete([...API_POLICY], answer, context, links) };
    const at = this.#mediaTypes.length < 2 ? 0 : preferredMediaType(context.headers.accept, this.#mediaTypes);
    return isRepresentation(body)
      ? this.#represented(answer, body, at, context, links)
      : this.#written(answer, at, context, links);
  }

  #represented(answer: Answer, body: Representation<unknown>, at: number, context: Context, links: RouteLinks): Reply {
    const { status } = answer;
    if (status === 200 && this.#isGet && isConditional(context)) {
      const unchanged = () => this.#complete([...this.#validators(body, at), ...API_POLICY], answer, context, links);
      const conditional = conditionalReply(entityTag(body.version, at), context, unchanged);
      if (conditional !== undefined) return conditional;
    }
    if (status === 200 && answer.headers === undefined) {
      body.replies ??= [];
      return (body.replies[at] ??= { status, body: body.body, headers: this.#linesOf(body, at) });
    }
    // Made for this one answer: kept with each of a million new items it would take more memory than they do.
    return { status, headers: this.#complete(this.#linesOf(body, at), answer, context, links), body: body.body };
  }

  /** The reply with a body that is written now. */
  #written(answer: Answer, at: number, context: Context, links: RouteLinks): Reply {
    const { status, body } = answer;
    const etag = status === 200 && this.#isGet ? tagOf(answer) : undefined;
    if (etag !== undefined) {
      const unchanged = () => this.#complete([...this.#vary, ...API_POLICY], answer, context, links);
      const conditional = conditionalReply(etag, context, unchanged);
      if (conditional !== undefined) return conditional;
    }
    const text = this.#writers.get(status)?.(body) ?? JSON.stringify(body);
    const lines = [...this.#contentLines(at, Buffer.byteLength(text)), ...this.#vary, ...API_POLICY];
    return { status, headers: this.#complete(lines, answer, context, links), body: text };
  }

  #linesOf(body: Representation<unknown>, at: number): string[] {
    return [...this.#contentLines(at, body.length), ...this.#validators(body, at), ...API_POLICY];
  }

  #contentLines(at: number, length: number): string[] {
    return ['Content-Type', contentTypeOf(this.#mediaTypes[at]!), 'Content-Length', String(length)];
  }

  /** What a 304 repeats of the 200 (RFC 9110 §15.4.5). */
  #validators({ version }: Representation<unknown>, at: number): string[] {
    return ['ETag', entityTag(version, at), 'Cache-Control', 'no-cache', ...this.#vary];
  }

  /** These header lines, and those of the answer behind them. */
  #complete(lines: string[], { headers, location }: Answer, context: Context, links: RouteLinks): string[] {
    for (const name in headers) lines.push(name, headers[name]!);
    if (location !== undefined) lines.push('Location', context.basePath + this.#pathTo(location, links));
    return lines;
  }

  #pathTo({ to, values }: Location, links: RouteLinks): string {
    const name = routeNameOf(to, this.#names);
    const link = name === undefined ? undefined : links.link(values, { name });
    if (link !== undefined) return link.path;
    const cause =
      name === undefined
        ? 'its operation is none of the same controller'
        : `the route "${name}" has no path for these values`;
    throw new Error(`Cannot make the Location for ${JSON.stringify(values)}: ${cause}`);
  }
}

const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/**
 * The 304 or 412 that the conditions of a GET ask for (RFC 9110 §13.2.2, D38); undefined where they ask for the answer.
 */
function conditionalReply(etag: string, context: Context, unchangedLines: () => string[]): Reply | undefined {
  const status = precondition(context.headers, { etag });
  if (status === 412) return problemReply(context, 412, 'What is here is not what If-Match names; read it again');
  return status === 304 ? { status, headers: unchangedLines() } : undefined;
}

/** The ETag that a handler gave its answer. */
function tagOf({ headers }: Answer): string | undefined {
  for (const name in headers) if (name.toLowerCase() === 'etag') return headers[name];
  return undefined;
}

function problem({ status, problem: detail, errors, headers }: Answer, context: Context): Reply {
  const extra = errors || headers ? { ...(errors && { errors }), ...(headers && { headers }) } : undefined;
  return problemReply(context, status, detail ?? 'The operation did not succeed', extra);
}
