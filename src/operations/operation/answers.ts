/** Creates replies of operations. The operation later serializes their values according to its declaration. */

import { unwrittenReply } from '../../core/http/frozen-reply.ts';
import type { HeaderLines } from '../../core/http/headers/header-lines.ts';
import type { Reply } from '../../core/http/reply.ts';
import type { Representation, StreamedRepresentation } from '../../core/http/representation.ts';
import type { LinkValues } from '../../core/routing/route.ts';
import type { OperationReference } from './operation-reference.ts';

/** The target of a Location: an operation of the same plugin or the name of a route, and the route values. */
export interface Location {
  readonly to: string | OperationReference;
  readonly values: LinkValues;
}

/** The members of a reply beside its status and its value. */
interface AnswerOptions {
  readonly headers?: HeaderLines | undefined;
  /** The target of the Location header (D7). */
  readonly location?: Location | undefined;
}

/** A value, or the JSON of a value as a store keeps it. */
type Written<Body> = Body | Representation<Body> | StreamedRepresentation<Body>;

/**
 * Returns a reply with any status, and with a body if the operation declares a body for the status. A helper function
 * that returns answers needs no type annotation.
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

/** Returns a 200 with a body. */
export const ok = <const Body>(body: Written<Body>): Reply<200, Body> =>
  unwrittenReply(200, { value: body }) as Reply<200, Body>;

/**
 * Returns a 201 with a body and a Location. `to` is the operation that reads the new resource, or the name of a route.
 * `values` are its route values, as for `link`.
 *
 *     created({ number: 1 }, 'InvoicesByNumberGet', { number: 1 })
 */
export const created = <const Body>(
  body: Body | Representation<Body>,
  to: string | OperationReference,
  values: LinkValues,
): Reply<201, Body> => unwrittenReply(201, { value: body, location: { to, values } }) as Reply<201, Body>;

/** Returns a 204. `etag` is the strong ETag of the stored value, with its quotes. */
export const noContent = (etag?: string): Reply<204, never> =>
  etag === undefined ? NO_CONTENT : (unwrittenReply(204, {}, ['ETag', etag]) as Reply<204, never>);
const NO_CONTENT = unwrittenReply(204, {}) as Reply<204, never>;
