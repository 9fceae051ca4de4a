/**
 * The one declaration of an operation: its route, the types of the handler's input and answers, the validation of its
 * body and its description all come from it, so none of them can drift from the others.
 *
 * The compiler reads the path template and the schemas: a wrong parameter name, an undeclared status, a wrong body, a text
 * for a parameter that is not there do not compile (`test/api/operation/operation.types.ts` keeps the cases).
 */
import type { Context } from '../../http/message/context.ts';
import type { ValuesOf } from '../../routing/template/values-of.ts';
import type { Infer, Schema } from '../schema/schema.ts';
import type { AnswerOf, Responses } from './answers.ts';

/** What a handler is given: the request, the route values, and the body that the schema let pass. */
export interface OperationInput<Path extends string, Body> {
  readonly context: Context;
  readonly values: ValuesOf<Path>;
  readonly body: Body extends Schema ? Infer<Body> : undefined;
  /** The JSON text of the body as it was sent, a byte order mark included, content coding undone. */
  readonly text: Body extends Schema ? string : undefined;
}

/** One operation. `path` continues the controller's path; media types are those of successes (D14). */
export interface Operation<
  Path extends string = string,
  R extends Responses = Responses,
  Body extends Schema | undefined = Schema | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: Path;
  /** Shown in the description while comments are on (D17). */
  readonly summary?: string;
  /** The longer text, `description` in the document. */
  readonly remarks?: string;
  /** Texts of the route's parameters. */
  readonly parameters?: { readonly [Name in keyof ValuesOf<Path>]?: string };
  /** Media types of the success answer, JSON all of them; `['application/json']` where a success has a schema, otherwise none. */
  readonly produces?: readonly string[];
  /** The schema of the body; without one no body is read. */
  readonly body?: Body;
  /** How the description calls the body: `item`, "The item.". */
  readonly bodyParameter?: { readonly name: string; readonly description?: string };
  /**
   * Every status that the handler answers; those of the body step (400, 413, 415), and 304 and 412 of a GET whose answer has an ETag
   * too, for the description (D14). The headers of 415 are added.
   */
  readonly responses: R;
  /** How long the handler may take for its answer, in milliseconds; the limit of the server unless given. */
  readonly handlerTimeout?: number;
  handle(input: OperationInput<Path, Body>): AnswerOf<R> | Promise<AnswerOf<R>>;
}

/** Declares an operation; the types of `handle` follow from the rest. */
export const operation = <
  const Path extends string,
  const R extends Responses,
  const Body extends Schema | undefined = undefined,
>(
  declaration: Operation<Path, R, Body>,
): Operation<Path, R, Body> => declaration;

/** Any operation. Handlers are contravariant in their input: no type but `any` can hold operations of different paths and bodies. */
export type AnyOperation = Operation<any, any, any>;
