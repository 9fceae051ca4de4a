/** Declares the results of operations: what a handler returns, as plain data. `to-reply.ts` turns a result into a reply. */
import type { Readable } from 'node:stream';
import type { HeaderLines } from '../../core/http/headers/header-lines.ts';
import { holdStream } from '../../core/http/held-streams.ts';
import type { ProblemExtra } from '../../core/http/problem.ts';
import type { Representation, StreamedRepresentation } from '../../core/http/representation.ts';
import type { LinkValues } from '../../core/routing/route.ts';
import type { OperationReference } from './operation-reference.ts';

/**
 * What the handler of an operation returns: a status and a value, or a status and a problem. The operation serializes the
 * value by its declaration and adds the headers. The types `Status` and `Body` restrict the results that a handler may
 * return. Only an operation may return a result; a stage and a plain route return a `Reply`.
 */
export interface Result<Status extends number = number, Body = unknown, Members = MemberPaths<Body>> {
  readonly status: Status;
  readonly value?: Body | Representation<Body> | StreamedRepresentation<Body> | undefined;
  /** The detail of a problem. */
  readonly problem?: string | undefined;
  /** Further members of the problem. The member `headers` becomes headers of the reply. */
  readonly extra?: ProblemExtra | undefined;
  /** The target of the Location header (D7). */
  readonly location?: Location | undefined;
  /** The strong ETag of the stored value, with its quotes. */
  readonly etag?: string | undefined;
  readonly headers?: HeaderLines | undefined;
  /** Never set, so a reply is not a result of an operation that declares a schema. */
  readonly body?: undefined;
  /** Never set. Its type lists the members of the value, so a member that the schema lacks is a compile error. */
  readonly names?: Members | undefined;
}

/** The paths of a value's members as string types, down to `Depth` levels. String types keep compiler errors short. */
export type MemberPaths<Value, Depth extends readonly unknown[] = [1, 1, 1, 1]> = unknown extends Value
  ? string
  : Value extends string | Uint8Array | Readable
    ? ''
    : Value extends Iterable<infer Item> | AsyncIterable<infer Item>
      ? Depth extends readonly [unknown, ...infer Rest]
        ? '[]' | `[]${MemberPaths<Item, Rest>}`
        : 'deeper'
      : Value extends object
        ? Depth extends readonly [unknown, ...infer Rest]
          ?
              | '{}'
              | { [Name in keyof Value & string]-?: `.${Name}${MemberPaths<Value[Name], Rest>}` }[keyof Value & string]
          : 'deeper'
        : '';

/** The target of a Location: an operation of the same plugin or the name of a route, and the route values. */
export interface Location {
  readonly to: string | OperationReference;
  readonly values: LinkValues;
}

/** The members of a result beside its status and its value. */
interface AnswerOptions {
  readonly headers?: HeaderLines | undefined;
  /** The target of the Location header (D7). */
  readonly location?: Location | undefined;
}

/** A value, or the JSON of a value as a store keeps it. */
type Written<Body> = Body | Representation<Body> | StreamedRepresentation<Body>;

/**
 * Returns a result with any status, and with a body if the operation declares a body for the status. A helper function
 * that returns answers needs no type annotation.
 *
 *     answer(202, { job: 7 }, { headers: { 'Retry-After': '5' } })
 */
export function answer<const Status extends number>(
  status: Status,
  body?: undefined,
  options?: AnswerOptions,
): Result<Status, never>;
export function answer<const Status extends number, const Body>(
  status: Status,
  body: Written<Body>,
  options?: AnswerOptions,
): Result<Status, Body>;
export function answer(status: number, value?: unknown, { headers, location }: AnswerOptions = {}): Result {
  holdStream(value);
  return { status, value, headers, location };
}

/** Returns a 200 with a body. */
export function ok<const Body>(body: Written<Body>, options?: Pick<AnswerOptions, 'headers'>): Result<200, Body> {
  holdStream(body);
  return { status: 200, value: body, headers: options?.headers };
}

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
  options?: Pick<AnswerOptions, 'headers'>,
): Result<201, Body> => ({ status: 201, value: body, location: { to, values }, headers: options?.headers });

/** Returns a 204. `etag` is the strong ETag of the stored value, with its quotes. */
export const noContent = (etag?: string): Result<204, never> => ({ status: 204, etag });
