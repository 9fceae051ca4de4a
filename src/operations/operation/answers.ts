/** Makes the replies of operations, whose values are written as the operation declares them. */

import type { HeaderLines } from '../../core/message/headers/header-lines.ts';
import { unwrittenReply } from '../../core/message/made-reply.ts';
import type { Reply } from '../../core/message/reply.ts';
import type { Representation, StreamedRepresentation } from '../../core/message/representation.ts';
import type { LinkValues } from '../../core/routing/route.ts';
import type { OperationReference } from './operation-reference.ts';

/** An operation of the same plugin, or any route by its name, and the values of its route. */
export interface Location {
  readonly to: string | OperationReference;
  readonly values: LinkValues;
}

/** What a reply has beside its status and its value. */
interface AnswerOptions {
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
