/**
 * Declares the one kind of reply: a status, header lines, and a body, all fixed once it is made.
 *
 * `replies.ts` makes a reply, as an object of `made-reply.ts`, and refuses it there for what `reply-fault.ts` finds. A
 * stage or a handler returns it: `ready-reply.ts` passes a written reply on, and `written-reply.ts` writes any other.
 */
import type { Readable } from 'node:stream';
import type { HeaderLines } from './headers/header-lines.ts';
import type { ReplyBody } from './reply-fault.ts';
import type { Representation, StreamedRepresentation } from './representation.ts';

/**
 * One response, or what a response is written from: `ok(…)` and `created(…)` hold a value, `notFound(…)` and
 * `problem(…)` a problem. It is written as bytes where a handler or a stage returns it. `Status` and `Body` narrow what
 * a handler may return.
 *
 * The server adds the headers that every response has, and `Content-Length` where the reply has none. An object with a
 * status, headers and a body is a reply as well: it is checked where it is returned, and copied.
 */
export interface Reply<Status extends number = number, Body = unknown, Members = Names<Body>> {
  readonly status: Status;
  readonly headers: HeaderLines;
  /** What is sent; undefined for none, and before it is written. */
  readonly body?: ReplyBody | undefined;
  /** What is written as the body. */
  readonly value?: Body | Representation<Body> | StreamedRepresentation<Body> | undefined;
  /** The detail of a problem. */
  readonly problem?: string | undefined;
  /** Never set; carries the names of the members, so that one which the schema does not have does not compile. */
  readonly names?: Members | undefined;
}

/** The names of the members of a value as far as `Depth` goes, as paths: texts keep errors of the compiler short. */
export type Names<Value, Depth extends readonly unknown[] = [1, 1, 1, 1]> = unknown extends Value
  ? string
  : Value extends string | Uint8Array | Readable
    ? ''
    : Value extends Iterable<infer Item> | AsyncIterable<infer Item>
      ? Depth extends readonly [unknown, ...infer Rest]
        ? '[]' | `[]${Names<Item, Rest>}`
        : 'deeper'
      : Value extends object
        ? Depth extends readonly [unknown, ...infer Rest]
          ? '{}' | { [Name in keyof Value & string]-?: `.${Name}${Names<Value[Name], Rest>}` }[keyof Value & string]
          : 'deeper'
        : '';

/** One fault in a request: in its body at `pointer`, or in the parameter of this name. */
export interface Violation {
  /** A JSON Pointer (RFC 6901), empty for the whole body. */
  readonly pointer?: string | undefined;
  readonly parameter?: string | undefined;
  /** Where the parameter stands. */
  readonly in?: 'path' | 'query' | 'header' | 'formData' | undefined;
  readonly detail: string;
}

/** Further members of a problem, which may replace its `type`, `title` and `instance` (RFC 9457 §3.2). */
export interface ProblemExtra {
  /** The faults of a refused body. */
  readonly errors?: readonly Violation[] | undefined;
  /** Further headers, such as `Retry-After`; not a member of the problem. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [member: string]: unknown;
}

/** What a reply holds that is still to be written. */
export interface Unwritten {
  readonly value?: unknown;
  readonly problem?: string | undefined;
  /** Further members of the problem; its headers are those of the reply. */
  readonly extra?: ProblemExtra | undefined;
  /** Where the Location header leads: a route, as its name or its declaration, and its route values (D7). */
  readonly location?: { readonly to: string | object; readonly values: unknown } | undefined;
}
