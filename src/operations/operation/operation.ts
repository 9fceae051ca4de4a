/**
 * Declares operations. The route, the types of the handler, the validation of the body and the API description are
 * derived from the declaration.
 *
 * The types are derived from the path template and the schemas, so a wrong parameter name, an undeclared status or a
 * wrong body does not compile (`test/operations/operation/operation.types.ts`).
 */
import type { StreamSource } from '../../core/http/replies.ts';
import type { Reply, ReplyBody } from '../../core/http/reply.ts';
import type { Pipeline } from '../../core/pipeline/stage.ts';
import type { ValuesOf } from '../../core/routing/template.ts';
import type { RowsOf, RowWriter } from '../media-types/row-writers.ts';
import type { HeaderDeclaration, Parameters, PathParameters } from '../parameters/parameter.ts';
import type { InferReply, Schema } from '../schema/schema.ts';
import type { Security } from '../security.ts';
import type { OperationInput } from './operation-input.ts';
import type { OperationReference } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';
import type { MemberPaths, Result } from './results.ts';

/** A declared response: its text, its body, and its headers. */
export type ResponseDeclaration = ValueResponse | FileResponse | TypedResponse | EmptyResponse;

/** A response whose body is a value, written as JSON or by a writer of the operation. */
interface ValueResponse extends ResponseTexts {
  readonly schema: Schema;
  readonly mediaType?: undefined;
  readonly mediaTypes?: undefined;
  /** A value of the schema, for the description. */
  readonly example?: unknown;
}

/** A response whose body is sent unchanged: a file, or a stream such as `text/event-stream`. */
interface FileResponse extends ResponseTexts {
  readonly schema?: undefined;
  readonly mediaType: string;
  readonly mediaTypes?: undefined;
  /** The text of a body, for the description. */
  readonly example?: string | undefined;
}

/** A response whose body is sent unchanged, and whose media type is known at run time only. */
interface TypedResponse extends ResponseTexts {
  readonly schema?: undefined;
  readonly mediaType?: undefined;
  /**
   * Media types or ranges, such as `image/*`. The handler names the type: in the options of `stream` and `file`, or as
   * the header `Content-Type` of `answer`. Another type is a 500.
   */
  readonly mediaTypes: readonly `${string}/${string}`[];
  readonly example?: string | undefined;
}

/** A response without a body, or an error, whose body is a problem. */
interface EmptyResponse extends ResponseTexts {
  readonly schema?: undefined;
  readonly mediaType?: undefined;
  readonly mediaTypes?: undefined;
  readonly example?: undefined;
}

interface ResponseTexts {
  readonly description?: string | undefined;
  /**
   * The target of the Location header: an operation of this plugin, or the name of a route. `application(…)` throws if
   * the target does not exist. The description lists the header, with its text from `headers` if there is one.
   */
  readonly location?: string | OperationReference | undefined;
  readonly headers?: ResponseHeaders | undefined;
}

/** The headers of a response by name. */
export type ResponseHeaders = Readonly<Record<string, HeaderDeclaration>>;

/** The responses of an operation by their status: 200 to 599. */
export type Responses = { readonly [status: number]: ResponseDeclaration } & {
  readonly [Status in StatusWithoutBody]?: EmptyResponse;
};

export type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** A status for which no body can be declared. A 4xx or 5xx has a problem; the others have no body (RFC 9110 §15). */
type StatusWithoutBody = `${3 | 4 | 5}${Digit}${Digit}` | '204' | '205';

/**
 * Serializes the value of the handler as one media type. Returns a string, bytes, or a source of them, which is
 * streamed with backpressure. A writer that `rowsWriter` creates can also write rows one by one (D100).
 */
export type Writer<Value> = (value: Value, writeRow: RowWriter) => StreamSource;

/** The writers of an operation by media type, `text/csv` for example. */
type Writers<R> = Readonly<Record<string, Writer<SuccessOf<R>>>>;

/** The bodies of the successes that have a schema. */
type SuccessOf<R> = {
  [Key in keyof R]: `${Key & (number | string)}` extends `2${string}`
    ? R[Key] extends { readonly schema: infer S }
      ? InferReply<S>
      : never
    : never;
}[keyof R];

/** The results that these declarations allow. A reply is allowed where no schema describes the body. */
type ResultOf<R> = {
  [Key in keyof R]: R[Key] extends { readonly schema: infer S }
    ? Result<StatusOf<Key>, InferReply<S> | RowsOf<InferReply<S>>, NamesOf<InferReply<S>>>
    :
        | Reply<StatusOf<Key>>
        | (R[Key] extends SentUnchanged ? Result<StatusOf<Key>, ReplyBody> : Result<EmptyStatusOf<R>, never>);
}[keyof R];

type SentUnchanged = { readonly mediaType: string } | { readonly mediaTypes: readonly string[] };

/** The statuses for which no body is declared. A helper may return one result with any of them. */
type EmptyStatusOf<R> = {
  [Key in keyof R]: R[Key] extends { readonly schema: unknown } | SentUnchanged ? never : StatusOf<Key>;
}[keyof R];

/** The names of a value's members. For a list, `''` allows the rows of a Node stream, because they have no type. */
type NamesOf<Value> = Value extends readonly unknown[] ? '' | MemberPaths<Value> : MemberPaths<Value>;

/** The status as a number. If the responses come from a spread object, their keys are strings. */
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends `${infer Status extends number}`
    ? Status
    : string extends Key
      ? number
      : never;

/** An operation. `Whole` is the path of the controller followed by the path of the operation. */
export interface Operation<
  Path extends string = string,
  R extends Responses = Responses,
  Body extends Schema | OwnBody | undefined = Schema | OwnBody | undefined,
  Query extends Parameters | undefined = Parameters | undefined,
  Headers extends Parameters | undefined = Parameters | undefined,
  Given extends PathParameters = PathParameters,
  Whole extends string = Path,
  Requirements extends Security | undefined = Security | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The operationId and the name of the route, such as `readings.list`: a letter, then letters, digits, ".", "_" and
   * "-" (D98, D129). By default it is derived from method and path: `ApiReadingsGet`.
   */
  readonly id?: string | undefined;
  /** The route template. In a controller, it is appended to the controller's path. */
  readonly path: Path;
  /** Shown in the description while comments are on (D17). */
  readonly summary?: string | undefined;
  /** A longer text. It is the `description` of the operation in the document. */
  readonly remarks?: string | undefined;
  /** The path parameters by name: a text for the description, or a declaration that adds to the constraints. */
  readonly parameters?: (Given & NoOther<Exclude<keyof Given, keyof ValuesOf<Whole>>>) | undefined;
  /** Parameters of the query. If none is declared, the query is not parsed. */
  readonly query?: Query | undefined;
  /** Refuses undeclared query parameters with 400. Default: the option of `operations(…)`, else false (D102). */
  readonly strictQuery?: boolean | undefined;
  /** Headers of the request that the handler uses. */
  readonly headers?: Headers | undefined;
  /** Media types of a success with a schema. Default: `application/json`, and the media types of the writers. */
  readonly produces?: readonly string[] | undefined;
  /** A writer for each media type that is not JSON. It gets the value that the handler returns. */
  readonly writers?: Writers<R> | undefined;
  /**
   * The schema of a JSON body, or an `OwnBody` for another body. Without this member the body is not read. A GET cannot
   * have one (D129).
   */
  readonly body?: Body | undefined;
  /** The name and the text of the body in the description. */
  readonly bodyParameter?: { readonly name: string; readonly description?: string | undefined } | undefined;
  /** The schemes and roles that allow a caller. Default: the security of the controller, else of `operations(…)`. */
  readonly security?: Requirements | undefined;
  /**
   * True if everybody may call the operation, even if the controller or `operations(…)` has security. Must not be
   * combined with `security` (D71).
   */
  readonly public?: boolean | undefined;
  /** Stages that run after the controller's stages and before parameters and body are read (D73). */
  readonly stages?: Pipeline | undefined;
  readonly deprecated?: boolean | undefined;
  /**
   * Every status that the handler returns. A GET with an ETag also declares 304 and 412. Do not declare 400, 413 and
   * 415 of the body: they are added (D14).
   */
  readonly responses: R;
  /** The time limit of the handler in milliseconds, at least 1000. Default: the limit of the server. */
  readonly handlerTimeout?: number | undefined;
  handle(input: OperationInput<Whole, Body, Query, Headers, Given, Requirements>): ResultOf<R> | Promise<ResultOf<R>>;
}

/** Rejects parameters whose names are not in the path. The compiler shows the text as the reason. */
type NoOther<Names extends PropertyKey> = { readonly [Name in Names]: Refused<'the path has no such parameter'> };
interface Refused<Reason> {
  readonly [reason]: Reason;
}
declare const reason: unique symbol;

/** Any operation. The type parameters are `any` because each handler accepts other values. */
export type AnyOperation = Operation<any, any, any, any, any, any, any, any>;
