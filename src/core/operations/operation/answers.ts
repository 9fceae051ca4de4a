/**
 * Makes the answers that a handler may return, and declares their types.
 *
 * Use these functions and no literal: the status of `{ status: 200, … }` is inferred as `number`, and the compiler
 * would let an undeclared status pass.
 */
import type { Readable } from 'node:stream';
import type { ReplyBody } from '../../message/context.ts';
import { assertErrorStatus, type ProblemExtra, type Violation } from '../../message/problem.ts';
import type { LinkValues } from '../../routing/link-values.ts';
import type { InferReply } from '../schema/schema.ts';
import type { OperationReference } from './operation-reference.ts';
import type { Representation, StreamedRepresentation } from './representation.ts';

/** An answer with a given status: a body, or the detail of a problem, or neither. */
export interface Answer<Status extends number = number, Body = unknown, Members = Names<Body>> {
  readonly status: Status;
  /** Never set; carries the names of the members, so that one which the schema does not have does not compile. */
  readonly names?: Members;
  readonly body?: Body | Representation<Body> | StreamedRepresentation<Body>;
  readonly problem?: string;
  readonly errors?: readonly Violation[];
  /** Further members of the problem; its headers are those of the answer. */
  readonly members?: Omit<ProblemExtra, 'headers'>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the Location header leads (D7). */
  readonly location?: Location;
}

/** The names of the members of a value, and of the values in it as far as `Depth` goes. */
export type Names<Value, Depth extends readonly unknown[] = [1, 1, 1, 1]> = unknown extends Value
  ? unknown
  : Value extends Uint8Array | Readable
    ? 'a value'
    : Value extends readonly (infer Item)[]
      ? Depth extends readonly [unknown, ...infer Rest]
        ? ['items', Names<Item, Rest>]
        : 'deeper'
      : Value extends object
        ? Depth extends readonly [unknown, ...infer Rest]
          ? { [Name in keyof Value]-?: [Name, Names<Value[Name], Rest>] }[keyof Value]
          : 'deeper'
        : 'a value';

/** An operation of the same plugin, or any route by its name, and the values of its route. */
export interface Location {
  readonly to: string | OperationReference;
  readonly values: LinkValues;
}

/** The answers that these declarations allow. */
export type AnswerOf<R> = {
  [Key in keyof R]: R[Key] extends { readonly schema: infer S }
    ? Answer<StatusOf<Key>, InferReply<S>>
    : R[Key] extends { readonly mediaType: string }
      ? Answer<StatusOf<Key>, ReplyBody>
      : Answer<StatusOf<Key>, never>;
}[keyof R];

/** The number that a key is; of an object that is spread in, it is the text of one. */
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : string extends Key
      ? number
      : never;

/** What an answer has beside its status and its body. */
export interface AnswerOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the Location header leads (D7). */
  readonly location?: Location;
}

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
): Answer<Status, never>;
export function answer<const Status extends number, const Body>(
  status: Status,
  body: Body | Representation<Body> | StreamedRepresentation<Body>,
  options?: AnswerOptions,
): Answer<Status, Body>;
export function answer(status: number, body?: unknown, options?: AnswerOptions): Answer {
  return { status, ...(body !== undefined && { body }), ...options };
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
): Answer<Status, never> {
  assertErrorStatus(status);
  if (extra === undefined) return { status, problem: detail };
  const { headers, ...members } = extra;
  return { status, problem: detail, members, ...(headers && { headers }) };
}

/** 200 with a body. */
export const ok = <const Body>(
  body: Body | Representation<Body> | StreamedRepresentation<Body>,
): Answer<200, Body> => ({ status: 200, body });

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
): Answer<201, Body> => ({ status: 201, body, location: { to, values } });

/** 204; `etag` is the strong ETag of what is stored now, quotes included. */
export const noContent = (etag?: string): Answer<204, never> =>
  etag === undefined ? NO_CONTENT : { status: 204, headers: { ETag: etag } };
const NO_CONTENT: Answer<204, never> = { status: 204 };

/** 400 with the reason and, where a body is at fault, what is wrong in it. */
export const badRequest = (problem: string, errors?: readonly Violation[]): Answer<400, never> => ({
  status: 400,
  problem,
  ...(errors && { errors }),
});

/**
 * 404 with the reason.
 *
 *     const answer = (name?: string) => (name === undefined ? notFound('There is no such task') : ok({ name }));
 */
export const notFound = (problem: string): Answer<404, never> => ({ status: 404, problem });
/** 412: what is stored is not what the client last saw (RFC 9110 §15.5.13). */
export const preconditionFailed = (problem: string): Answer<412, never> => ({ status: 412, problem });
/** 507: the store is full (RFC 4918 §11.5). */
export const insufficientStorage = (problem: string): Answer<507, never> => ({ status: 507, problem });
