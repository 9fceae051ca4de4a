/** Declares the responses of an operation: their bodies, their headers, and the writers of media types (D14, D72). */
import type { ParameterDeclaration } from '../parameters/parameter.ts';
import type { InferReply, Schema } from '../schema/schema.ts';
import type { OperationReference } from './operation-reference.ts';

/** One declared response: its text, its body, and the headers that a client uses. */
export interface ResponseDeclaration {
  readonly description?: string;
  /** The schema of a body that is written as JSON, or by a writer of the operation. */
  readonly schema?: Schema;
  /** The media type of a body that is sent as the handler gives it: a file, or a stream such as `text/event-stream`. */
  readonly mediaType?: string;
  /** A body for the description: a value of the schema, or the text of a body with a `mediaType`. */
  readonly example?: unknown;
  /**
   * Where the Location leads: an operation of this plugin, or the name of a route. Checked when the application is
   * composed. The header is described, with a text of its own where `headers` has it.
   */
  readonly location?: string | OperationReference;
  readonly headers?: ResponseHeaders;
}

/** The headers of a response by their names. */
export type ResponseHeaders = Readonly<Record<string, HeaderDeclaration>>;

/** A header: the keywords of a scalar, or of a list that is written with commas. A handler gives its text. */
export interface HeaderDeclaration
  extends Omit<ParameterDeclaration, 'required' | 'deprecated' | 'collectionFormat' | 'default'> {
  readonly description: string;
  /** True where every reply of this status has the header: `required` in OpenAPI 3.1. Swagger 2.0 cannot say it. */
  readonly always?: boolean;
}

/** The responses of an operation by their status. */
export type Responses = Readonly<Record<number, ResponseDeclaration>>;

/** Makes the body of one media type from the value that the handler gave. */
export type Writer<Value> = (value: Value) => string | Uint8Array;

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
