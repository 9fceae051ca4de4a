/**
 * From an operation's answer to the reply that is sent: media type, ETag, conditions, Location, problem.
 *
 * The reply for a representation is made once and kept with it: the second reader of an item costs a look-up, and the
 * 304 of a third not even a body.
 */

import { negotiate } from '../../http/headers/accept.ts';
import { precondition } from '../../http/headers/conditional.ts';
import { entityTag } from '../../http/headers/entity-tag.ts';
import { article, headerFault, quoted } from '../../http/headers/header-fault.ts';
import { InvalidReply, trustReply } from '../../http/message/check-reply.ts';
import type { Context, Reply } from '../../http/message/context.ts';
import { problemReply } from '../../http/message/problem.ts';
import { API_POLICY } from '../../http/message/security-headers.ts';
import type { RouteLinks } from '../../routing/route/route.ts';
import type { Answer, Location } from './answers.ts';
import type { AnyOperation } from './operation.ts';
import { isRepresentation, type Representation } from './representation.ts';

/** What is known of an operation's answers before any is made. */
export interface AnswerForm {
  /** The operationId. */
  readonly id: string;
  /** Only a read is answered 304 or 412 once its answer is there; a change has happened by then. */
  readonly isRead: boolean;
  /** The media types of success, in the order of the declaration. */
  readonly produces: readonly string[];
  /** Writes a body that is not represented yet, by status. */
  readonly write: (status: number, body: unknown) => string;
  /** The name of the route of an operation of the same controller. */
  readonly nameOf: (operation: AnyOperation) => string | undefined;
}

/** The reply to send. Throws an `InvalidReply` for an answer that none can be made of. */
export function operationReply(answer: Answer, form: AnswerForm, context: Context, routes: RouteLinks): Reply {
  // What only the handler can get wrong; the rest of a reply is written here.
  const fault = statusFault(answer) ?? (answer.headers === undefined ? undefined : headersFault(answer.headers));
  if (fault !== undefined) throw new InvalidReply(`The operation "${form.id}" returned ${fault}`);
  return trustReply(replyOf(answer, form, context, routes), context);
}

function statusFault(answer: Answer): string | undefined {
  if (typeof answer !== 'object' || answer === null) {
    return `${answer === undefined ? 'nothing' : article(typeof answer)}; return ok(…), noContent() or another answer`;
  }
  const { status, body } = answer;
  if (!(status >= 200 && status <= 599) || status % 1 !== 0)
    return `the status ${quoted(status)}; use ok(…) or another answer`;
  return body !== undefined && (status === 204 || status === 304)
    ? `a ${status} with a body; leave it out, or answer 200`
    : undefined;
}

function headersFault(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name in headers) {
    const fault = headerFault(name, headers[name]);
    if (fault !== undefined) return fault;
    if (CONTENT.has(name.toLowerCase())) return `the header ${name}, which follows from the body; leave it out`;
  }
  return undefined;
}

const CONTENT: ReadonlySet<string> = new Set(['content-length', 'content-type']);

function replyOf(answer: Answer, form: AnswerForm, context: Context, routes: RouteLinks): Reply {
  const { status, body } = answer;
  if (answer.problem !== undefined || status >= 400) return problem(answer, context);
  if (body === undefined) return { status, headers: completed([...API_POLICY], answer, form, context, routes) };
  const at = form.produces.length < 2 ? 0 : negotiate(context.headers.accept, form.produces);
  if (!isRepresentation(body)) return written(answer, at, form, context, routes);
  if (status === 200 && form.isRead && isConditional(context)) {
    const lines = () => completed([...validators(body, at, form), ...API_POLICY], answer, form, context, routes);
    const conditional = conditionalReply(entityTag(body.version, at), context, lines);
    if (conditional !== undefined) return conditional;
  }
  if (status !== 200 || answer.headers !== undefined) {
    // Made for this one answer: kept with each of a million new items it would take more memory than they do.
    return {
      status,
      headers: completed(representedLines(body, at, form), answer, form, context, routes),
      body: body.body,
    };
  }
  return body.replies?.[at] ?? ((body.replies ??= [])[at] = represented(body, at, form));
}

const isConditional = ({ headers }: Context): boolean =>
  headers['if-none-match'] !== undefined || headers['if-match'] !== undefined;

/** The 304 or 412 that the conditions of a read ask for (RFC 9110 §13.2.2, D38); undefined: the answer as it is. */
function conditionalReply(etag: string, context: Context, unchangedLines: () => string[]): Reply | undefined {
  const status = precondition(context.headers, { etag });
  if (status === 412) return problemReply(context, 412, 'What is here is not what If-Match names; read it again');
  return status === 304 ? { status, headers: unchangedLines() } : undefined;
}

/** The ETag that a handler gave its answer. */
function ownTag({ headers }: Answer): string | undefined {
  for (const name in headers) if (name.toLowerCase() === 'etag') return headers[name];
  return undefined;
}

/** A body that no representation is kept of. */
function written(answer: Answer, at: number, form: AnswerForm, context: Context, routes: RouteLinks): Reply {
  const { status, body } = answer,
    text = form.write(status, body);
  const vary = form.produces.length > 1 ? ['Vary', 'Accept'] : [];
  const etag = status === 200 && form.isRead ? ownTag(answer) : undefined;
  if (etag !== undefined) {
    const conditional = conditionalReply(etag, context, () =>
      completed([...vary, ...API_POLICY], answer, form, context, routes),
    );
    if (conditional !== undefined) return conditional;
  }
  const lines = [...contentLines(form.produces[at]!, Buffer.byteLength(text)), ...vary, ...API_POLICY];
  return { status, headers: completed(lines, answer, form, context, routes), body: text };
}

const represented = (body: Representation<unknown>, at: number, form: AnswerForm): Reply => ({
  status: 200,
  body: body.body,
  headers: representedLines(body, at, form),
});

const representedLines = (body: Representation<unknown>, at: number, form: AnswerForm): string[] => [
  ...contentLines(form.produces[at]!, body.length),
  ...validators(body, at, form),
  ...API_POLICY,
];

const contentLines = (mediaType: string, length: number): string[] => [
  'Content-Type',
  contentType(mediaType),
  'Content-Length',
  String(length),
];

/** What a 304 repeats of the 200 (RFC 9110 §15.4.5). */
const validators = (body: Representation<unknown>, at: number, form: AnswerForm): string[] => [
  'ETag',
  entityTag(body.version, at),
  'Cache-Control',
  'no-cache',
  ...(form.produces.length > 1 ? ['Vary', 'Accept'] : []),
];

/** `text/*` says its charset; `application/json` has none (D8). */
const contentType = (mediaType: string): string =>
  mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;

/** These lines, and those of the answer behind them. */
function completed(
  lines: string[],
  { headers, location }: Answer,
  form: AnswerForm,
  context: Context,
  routes: RouteLinks,
): string[] {
  for (const name in headers) lines.push(name, headers[name]!);
  if (location !== undefined) lines.push('Location', context.basePath + pathTo(location, form, routes));
  return lines;
}

function pathTo({ to, values }: Location, form: AnswerForm, routes: RouteLinks): string {
  const name = typeof to === 'string' ? to : form.nameOf(to);
  const link = name === undefined ? undefined : routes.link(values, { name });
  if (link !== undefined) return link.path;
  const cause =
    name === undefined
      ? 'its operation is none of the same controller'
      : `the route "${name}" has no path for these values`;
  throw new Error(`Cannot make the Location for ${JSON.stringify(values)}: ${cause}`);
}

function problem({ status, problem: detail, errors, headers }: Answer, context: Context): Reply {
  const extra =
    errors === undefined && headers === undefined
      ? undefined
      : { ...(errors && { errors }), ...(headers && { headers }) };
  return problemReply(context, status, detail ?? 'The operation did not succeed', extra);
}
