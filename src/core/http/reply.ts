/**
 * Declares the type of every reply: a status, header lines and a body, all read-only.
 *
 * `replies.ts` creates frozen replies, and throws if `reply-fault.ts` finds a fault. A reply is written if its body can
 * be sent. If a stage or a handler returns an unwritten reply, `written-reply.ts` writes its body.
 */
import type { Readable } from 'node:stream';
import type { HeaderLines } from './headers/header-lines.ts';
import type { ReplyBody } from './reply-fault.ts';
import type { Representation, StreamedRepresentation } from './representation.ts';

/**
 * Holds a response, or the value or problem that is written as its body. `ok(…)` and `created(…)` return a reply with a
 * value; `notFound(…)` and `problem(…)` return a reply with a problem. The library writes the body when a handler or a
 * stage returns the reply. The types `Status` and `Body` restrict the replies that a handler may return.
 *
 * The server adds the headers that every response has, and a missing `Content-Length`. An object with a status, headers
 * and a body is a valid reply too: the library checks and copies it when a handler or a stage returns it.
 */
export interface Reply<Status extends number = number, Body = unknown, Members = MemberPaths<Body>> {
  readonly status: Status;
  readonly headers: HeaderLines;
  /** The body to send; undefined for an empty body, and until the body is written. */
  readonly body?: ReplyBody | undefined;
  /** The value that is written as the body. */
  readonly value?: Body | Representation<Body> | StreamedRepresentation<Body> | undefined;
  /** The detail of a problem. */
  readonly problem?: string | undefined;
  /** Never set. Its type lists the members of the body, so a member that the schema lacks is a compile error. */
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

/** One error in a request: in the body, at `pointer`, or in a parameter, whose name is `parameter`. */
export interface Violation {
  /** A JSON Pointer (RFC 6901), empty for the whole body. */
  readonly pointer?: string | undefined;
  readonly parameter?: string | undefined;
  /** The location of the parameter. */
  readonly in?: 'path' | 'query' | 'header' | 'formData' | undefined;
  readonly detail: string;
}

/** Further members of a problem. They may replace its `type`, `title` and `instance` (RFC 9457 §3.2). */
export interface ProblemExtra {
  /** The errors in a refused body. */
  readonly errors?: readonly Violation[] | undefined;
  /** Further headers of the reply, such as `Retry-After`. The body of the problem does not contain them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [member: string]: unknown;
}

/** The parts of a reply from which its body and its Location header are written later. */
export interface Unwritten {
  readonly value?: unknown;
  readonly problem?: string | undefined;
  /** Further members of the problem. The member `headers` becomes headers of the reply. */
  readonly extra?: ProblemExtra | undefined;
  /** The target of the Location header: the name or the declaration of a route, and the route values (D7). */
  readonly location?: { readonly to: string | object; readonly values: unknown } | undefined;
}
