/**
 * Declares an operation once. Its route, the types of its handler, the validation of its body and its description all
 * come from this declaration.
 *
 * The compiler reads the path template and the schemas: a wrong parameter name, an undeclared status or a wrong body
 * does not compile (`test/operations/operation/operation.types.ts`).
 */
import type { StreamSource } from '../../core/message/replies.ts';
import type { Names, Reply } from '../../core/message/reply.ts';
import type { ReplyBody } from '../../core/message/reply-fault.ts';
import type { Pipeline } from '../../core/pipeline/stage.ts';
import type { ValuesOf } from '../../core/routing/template.ts';
import type { RowsOf, RowWriter } from '../media-types/rows.ts';
import type { HeaderDeclaration, Parameters, PathParameters } from '../parameters/parameter.ts';
import type { InferReply, Schema } from '../schema/schema.ts';
import type { Security } from '../security.ts';
import type { OperationInput } from './operation-input.ts';
import type { OperationReference } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';
import type { ProblemFormats } from './problems.ts';

/** One declared response: its text, its body, and the headers that a client uses. */
export type ResponseDeclaration = ValueResponse | FileResponse | EmptyResponse;

/** A response with a value for a body, which is written as JSON, or by a writer of the operation. */
interface ValueResponse extends ResponseTexts {
  readonly schema: Schema;
  readonly mediaType?: undefined;
  /** A value of the schema, for the description. */
  readonly example?: unknown;
}

/** A response with a body that is sent as the handler gives it: a file, or a stream such as `text/event-stream`. */
interface FileResponse extends ResponseTexts {
  readonly schema?: undefined;
  readonly mediaType: string;
  /** The text of a body, for the description. */
  readonly example?: string | undefined;
}

/** A response without a body, or with a problem. */
interface EmptyResponse extends ResponseTexts {
  readonly schema?: undefined;
  readonly mediaType?: undefined;
  readonly example?: undefined;
}

interface ResponseTexts {
  readonly description?: string | undefined;
  /**
   * Where the Location leads: an operation of this plugin, or the name of a route. Checked when the application is
   * composed. The header is described, with a text of its own where `headers` has it.
   */
  readonly location?: string | OperationReference | undefined;
  readonly headers?: ResponseHeaders | undefined;
}

/** The headers of a response by their names. */
export type ResponseHeaders = Readonly<Record<string, HeaderDeclaration>>;

/** The responses of an operation by their status: 200 to 599. */
export type Responses = { readonly [status: number]: ResponseDeclaration } & {
  readonly [Status in StatusWithoutBody]?: EmptyResponse;
};

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** An error is a problem. The others have no body (RFC 9110 §15.3.5, §15.3.6, §15.4). */
type StatusWithoutBody = `${3 | 4 | 5}${Digit}${Digit}` | '204' | '205';

/**
 * Makes the body of one media type from the value that the handler gave: a text, bytes, or a source of them, which is
 * streamed at the pace of the client. One of `rowsWriter` is given rows one by one as well (D100).
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

/** One operation. `Whole` is its path behind that of its controller. */
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
   * Its operationId, and the name of its route: `readings.list` for example, of letters, digits, ".", "_" and "-"
   * (D98). Default: derived from method and path, `ApiReadingsGet`.
   */
  readonly id?: string | undefined;
  /** A route template that continues the controller's path. */
  readonly path: Path;
  /** Shown in the description while comments are on (D17). */
  readonly summary?: string | undefined;
  /** The longer text: `description` in the document. */
  readonly remarks?: string | undefined;
  /** Texts of the route's parameters, or what they are beyond their constraints. */
  readonly parameters?: (Given & NoOther<Exclude<keyof Given, keyof ValuesOf<Whole>>>) | undefined;
  /** Parameters of the query. Without them the query is not parsed. */
  readonly query?: Query | undefined;
  /** Refuses with 400 what `query` does not declare. Default: what `operations(…)` says, else false (D102). */
  readonly strictQuery?: boolean | undefined;
  /** Headers of the request that the handler uses. */
  readonly headers?: Headers | undefined;
  /** Media types of a success with a schema. Default: `application/json`, and those of the writers. */
  readonly produces?: readonly string[] | undefined;
  /** Makes the body of each media type that is not JSON. Its value is that of the handler. */
  readonly writers?: Writers<R> | undefined;
  /** The schema of a JSON body, or an `OwnBody`, which reads another one; without it no body is read. */
  readonly body?: Body | undefined;
  /** The name and the text of the body in the description. */
  readonly bodyParameter?: { readonly name: string; readonly description?: string | undefined } | undefined;
  /** Who may call the operation. Default: what the controller says, else `operations(…)`. */
  readonly security?: Requirements | undefined;
  /** True for an operation that everybody may call, whatever the controller and `operations(…)` require (D71). */
  readonly public?: boolean | undefined;
  /** Stages behind those of the controller, before parameters and body are read (D73). */
  readonly stages?: Pipeline | undefined;
  /** Writes the problems of the operation. Default: what the controller says, else `operations(…)` (D107). */
  readonly problems?: ProblemFormats | undefined;
  readonly deprecated?: boolean | undefined;
  /** Every status of a reply: also 304 and 412 of a GET with an ETag (D14), but not 400, 413 and 415 of the body. */
  readonly responses: R;
  /** Time for the handler to answer, in milliseconds, 1000 or more. Default: the limit of the server. */
  readonly handlerTimeout?: number | undefined;
  handle(input: OperationInput<Whole, Body, Query, Headers, Given, Requirements>): ReplyOf<R> | Promise<ReplyOf<R>>;
}

/** Names that the path does not have. No value fits, and the compiler shows the reason. */
type NoOther<Names extends PropertyKey> = { readonly [Name in Names]: Refused<'the path has no such parameter'> };
interface Refused<Reason> {
  readonly [reason]: Reason;
}
declare const reason: unique symbol;

/** Any operation. `any`, for handlers differ in the values they accept. */
export type AnyOperation = Operation<any, any, any, any, any, any, any, any>;
