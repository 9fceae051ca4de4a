/**
 * Makes the replies of operations, whose values and problems are written as the operation declares them, and derives
 * from the declared responses which of them its handler may return.
 */

import type { HeaderLines } from '../../message/headers/header-lines.ts';
import { assertErrorStatus } from '../../message/problem.ts';
import { type Names, type ProblemExtra, type Reply, unwrittenReply, type Violation } from '../../message/reply.ts';
import type { ReplyBody } from '../../message/reply-fault.ts';
import type { Representation, StreamedRepresentation } from '../../message/representation.ts';
import type { LinkValues } from '../../routing/route.ts';
import type { RowsOf } from '../media-types/written-rows.ts';
import type { InferReply } from '../schema/schema.ts';
import type { OperationReference } from './operation-reference.ts';

/** An operation of the same plugin, or any route by its name, and the values of its route. */
export interface Location {
  readonly to: string | OperationReference;
  readonly values: LinkValues;
}

/** The replies that these declarations allow. */
export type ReplyOf<R> = {
  [Key in keyof R]: R[Key] extends { readonly schema: infer S }
    ? Reply<StatusOf<Key>, InferReply<S> | RowsOf<InferReply<S>>, NamesOf<InferReply<S>>>
    : R[Key] extends { readonly mediaType: string }
      ? Reply<StatusOf<Key>, ReplyBody>
      : Reply<StatusOf<Key>, never>;
}[keyof R];

/** A stream of Node has rows of any type. */
type NamesOf<Value> = Value extends readonly unknown[] ? '' | Names<Value> : Names<Value>;

/** The number that a key is; of an object that is spread in, it is the text of one. */
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : string extends Key
      ? number
      : never;

/** What a reply has beside its status and its value. */
export interface AnswerOptions {
  readonly headers?: HeaderLines | undefined;
  /** Where the Location header leads (D7). */
  readonly location?: Location | undefined;
}

/** A value, or what a store keeps of one. */
type Written<Body> = Body | Representation<Body> | StreamedRepresentation<Body>;

/**
 * Any status, with a body where the operation declares one for it. A helper that returns answers needs no annotation:
 * its type has each status with its body.
 *
 *     answer(202, { job: 7 }, { headers: { 'Retry-After': '5' } })
 */
export function answer<const Status extends number>(
  status: Status,
  body?: undefined,
  options?: AnswerOptions,
): Reply<Status, never>;
export function answer<const Status extends number, const Body>(
  status: Status,
  body: Written<Body>,
  options?: AnswerOptions,
): Reply<Status, Body>;
export function answer(status: number, value?: unknown, { headers, location }: AnswerOptions = {}): Reply {
  return unwrittenReply(status, { value, location }, headers);
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** The status itself where it is one of an error. */
type ErrorStatus<Status extends number> = `${Status}` extends `${4 | 5}${Digit}${Digit}` ? Status : never;

/**
 * A problem of any error status. `extra` has headers, `errors`, and further members, which may replace its `type` and
 * `title` (RFC 9457 §3.2). Throws a `RangeError` for a status that is not 400 to 599.
 *
 *     problem(409, 'The name is taken', { type: 'https://example.com/taken', headers: { 'Retry-After': '5' } })
 */
export function problem<const Status extends number>(
  status: Status & ErrorStatus<Status>,
  detail: string,
  extra?: ProblemExtra,
): Reply<Status, never> {
  assertErrorStatus(status);
  if (extra === undefined) return unwrittenReply(status, { problem: detail }) as Reply<Status, never>;
  const { headers, ...members } = extra;
  return unwrittenReply(status, { problem: detail, extra: members }, headers) as Reply<Status, never>;
}

/** 200 with a body. */
export const ok = <const Body>(body: Written<Body>): Reply<200, Body> =>
  unwrittenReply(200, { value: body }) as Reply<200, Body>;

/**
 * 201 with a body. `to` is the operation that reads what was made, or the name of a route; `values` are its route
 * values, as `link` takes them.
 *
 *     created({ number: 1 }, 'InvoicesByNumberGet', { number: 1 })
 */
export const created = <const Body>(
  body: Body | Representation<Body>,
  to: string | OperationReference,
  values: LinkValues,
): Reply<201, Body> => unwrittenReply(201, { value: body, location: { to, values } }) as Reply<201, Body>;

/** 204; `etag` is the strong ETag of what is stored now, quotes included. */
export const noContent = (etag?: string): Reply<204, never> =>
  etag === undefined ? NO_CONTENT : (unwrittenReply(204, {}, ['ETag', etag]) as Reply<204, never>);
const NO_CONTENT = unwrittenReply(204, {}) as Reply<204, never>;

/** 400 with the reason and, where a body is at fault, what is wrong in it. */
export const badRequest = (detail: string, errors?: readonly Violation[]): Reply<400, never> =>
  problem(400, detail, errors && { errors });

/**
 * 404 with the reason.
 *
 *     const answer = (name?: string) => (name === undefined ? notFound('There is no such task') : ok({ name }));
 */
export const notFound = (detail: string): Reply<404, never> => problem(404, detail);
/** 412: what is stored is not what the client last saw (RFC 9110 §15.5.13). */
export const preconditionFailed = (detail: string): Reply<412, never> => problem(412, detail);
/** 507: the store is full (RFC 4918 §11.5). */
export const insufficientStorage = (detail: string): Reply<507, never> => problem(507, detail);
