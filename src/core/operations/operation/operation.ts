/**
 * Declares an operation once. Its route, the types of its handler, the validation of its body and its description all
 * come from this declaration.
 *
 * The compiler reads the path template and the schemas: a wrong parameter name, an undeclared status or a wrong body
 * does not compile (`test/core/operations/operation/operation.types.ts`).
 */
import type { StreamSource } from '../../message/replies.ts';
import type { Names } from '../../message/reply.ts';
import type { Pipeline } from '../../pipeline/stage.ts';
import type { ValuesOf } from '../../routing/template.ts';
import type { RowWriter } from '../media-types/written-rows.ts';
import type {
  ParameterDeclaration,
  Parameters,
  PathParameters,
  SpokenParameters,
  SpokenText,
  TextKeyword,
} from '../parameters/parameter.ts';
import type { InferReply, Schema, Spoken, SpokenMembers } from '../schema/schema.ts';
import type { Security, SpokenSecurity } from '../security.ts';
import type { ReplyOf } from './answers.ts';
import type { OperationInput } from './operation-input.ts';
import type { OperationReference } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';
import type { ProblemFormats } from './problem-format.ts';

/** One declared response: its text, its body, and the headers that a client uses. */
export interface ResponseDeclaration {
  readonly description?: string | undefined;
  /** The schema of a body that is written as JSON, or by a writer of the operation. */
  readonly schema?: Schema | undefined;
  /** The media type of a body that is sent as the handler gives it: a file, or a stream such as `text/event-stream`. */
  readonly mediaType?: string | undefined;
  /** A body for the description: a value of the schema, or the text of a body with a `mediaType`. */
  readonly example?: unknown;
  /**
   * Where the Location leads: an operation of this plugin, or the name of a route. Checked when the application is
   * composed. The header is described, with a text of its own where `headers` has it.
   */
  readonly location?: string | OperationReference | undefined;
  readonly headers?: ResponseHeaders | undefined;
}

/** The headers of a response by their names. */
export type ResponseHeaders = Readonly<Record<string, HeaderDeclaration>>;

/** A header: the keywords of a scalar, or of a list that is written with commas. A handler gives its text. */
export interface HeaderDeclaration
  extends Omit<ParameterDeclaration, 'required' | 'deprecated' | 'collectionFormat' | 'default'> {
  readonly description: string;
  /** True where every reply of this status has the header: `required` in OpenAPI 3.1. Swagger 2.0 cannot say it. */
  readonly always?: boolean | undefined;
}

/** The responses of an operation by their status. */
export type Responses = Readonly<Record<number, ResponseDeclaration>>;

/**
 * Makes the body of one media type from the value that the handler gave: a text, bytes, or a source of them, which is
 * streamed at the pace of the client. One of `rowsWriter` is given rows one by one as well (D100).
 */
export type Writer<Value> = (value: Value, writeRow: RowWriter) => StreamSource;

/** The writers of an operation by media type, `text/csv` for example. */
export type Writers<R> = Readonly<Record<string, Writer<SuccessOf<R>>>>;

/** The bodies of the successes that have a schema. */
type SuccessOf<R> = {
  [Key in keyof R]: `${Key & (number | string)}` extends `2${string}`
    ? R[Key] extends { readonly schema: infer S }
      ? InferReply<S>
      : never
    : never;
}[keyof R];

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
  readonly parameters?: (Given & { readonly [Name in Exclude<keyof Given, keyof ValuesOf<Whole>>]: never }) | undefined;
  /** Parameters of the query. Without them the query is not parsed. */
  readonly query?: Query | undefined;
  /** Refuses with 400 what `query` does not declare. Default: what the application says, else it is ignored (D102). */
  readonly strictQuery?: boolean | undefined;
  /** Headers of the request that the handler uses. */
  readonly headers?: Headers | undefined;
  /** Media types of a success with a schema. Default: `application/json`, and those of the writers. */
  readonly produces?: readonly string[] | undefined;
  /** Makes the body of each media type that is not JSON. Its value is that of the handler. */
  readonly writers?: Writers<R> | undefined;
  /** The schema of a JSON body, or what `todo-item-service/uploads` makes; without one no body is read. */
  readonly body?: Body | undefined;
  /** The name and the text of the body in the description. */
  readonly bodyParameter?: { readonly name: string; readonly description?: string | undefined } | undefined;
  /** Who may call the operation. Default: what the controller says, else the application. */
  readonly security?: Requirements | undefined;
  /** True for an operation that everybody may call, whatever the controller and the application require (D71). */
  readonly public?: boolean | undefined;
  /** Stages behind those of the controller, before parameters and body are read (D73). */
  readonly stages?: Pipeline | undefined;
  /** Writes the problems of the operation. Default: what the controller says, else the application (D107). */
  readonly problems?: ProblemFormats | undefined;
  readonly deprecated?: boolean | undefined;
  /** Every status of a reply: also 304 and 412 of a GET with an ETag (D14), but not 400, 413 and 415 of the body. */
  readonly responses: R;
  /** Time for the handler to answer, in milliseconds, 1000 or more. Default: the limit of the server. */
  readonly handlerTimeout?: number | undefined;
  handle(input: OperationInput<Whole, Body, Query, Headers, Given, Requirements>): ReplyOf<R> | Promise<ReplyOf<R>>;
}

/**
 * Declares an operation; the types of `handle` follow from the rest. `NoInfer` keeps them so inside of a list: the
 * compiler would take them from `AnyOperation` instead, whose types are all `any`.
 */
export const operation = <
  const Path extends string,
  const R extends Responses,
  const Body extends Schema | OwnBody | undefined = undefined,
  const Query extends Parameters | undefined = undefined,
  const Headers extends Parameters | undefined = undefined,
  const Given extends PathParameters = Record<never, never>,
  const Requirements extends Security | undefined = undefined,
>(
  declaration: Operation<Path, R, Body, Query, Headers, Given, Path, Requirements> &
    SpokenIn<R, Body, Query, Headers, Given, Requirements>,
): NoInfer<Operation<Path, R, Body, Query, Headers, Given, Path, Requirements>> => declaration;

/** Any operation. `any`, for handlers differ in the values they accept. */
export type AnyOperation = Operation<any, any, any, any, any, any, any, any>;

/** The schemas, the parameters and the responses of a declaration, as far as they are spoken. */
export interface SpokenIn<R extends Responses, Body, Query, Headers, Given, Requirements> {
  readonly body?: Body extends OwnBody ? unknown : Spoken<Body>;
  readonly query?: SpokenParameters<Query, 'query'> | undefined;
  readonly headers?: SpokenParameters<Headers, 'header'> | undefined;
  readonly parameters?: SpokenParameters<Given, 'path'> | undefined;
  readonly security?: SpokenSecurity<Requirements> | undefined;
  readonly responses: {
    readonly [Status in keyof R]: SpokenResponse<R[Status], StatusIn<`${Status & (string | number)}`>>;
  };
}

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
/** What a key that is not literal can be is a status too. */
type StatusIn<Text> = Text extends `${2 | 3 | 4 | 5}${Digit}${Digit}` ? Text : `${number}` extends Text ? Text : never;
/** An error is a problem; the others have no body here (RFC 9110 §15.3.5, §15.3.6, §15.4). */
type WithoutBody = `${3 | 4 | 5}${Digit}${Digit}` | '204' | '205';

type SpokenResponse<Response, Status> = [Status] extends [never]
  ? never
  : Response extends object
    ? SpokenMembers<Response, ResponseDeclaration, ResponseMember<Response, Status>, ResponseValues<Response>>
    : Response;

type ResponseMember<Response, Status> =
  | 'description'
  | 'location'
  | 'headers'
  | (Status extends WithoutBody
      ? never
      : 'schema' | 'example' | (Response extends { readonly schema: unknown } ? never : 'mediaType'));

interface ResponseValues<Response> {
  readonly schema: Spoken<Response['schema' & keyof Response]>;
  readonly example: Example<
    Exclude<Response['example' & keyof Response], undefined>,
    'schema' extends keyof Response
      ? InferReply<Exclude<Response['schema'], undefined>>
      : 'mediaType' extends keyof Response
        ? string
        : never
  >;
  readonly headers: SpokenHeaders<Response['headers' & keyof Response]>;
}

/** `never` for a member that the schema does not have; the compiler finds one of another type by itself. */
type Example<Given, Wanted> = [Given] extends [Wanted]
  ? [Names<Given>] extends [Names<Wanted>]
    ? Given
    : never
  : Extract<Wanted, object>;

type SpokenHeaders<Headers> = {
  readonly [Name in keyof Headers]: SpokenText<
    Headers[Name],
    HeaderDeclaration,
    Exclude<TextKeyword<Headers[Name]>, 'default'> | 'always'
  >;
};
