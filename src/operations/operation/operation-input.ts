/** Declares the input of an operation's handler: that of a route, the body, and links to operations. */

import type { Context } from '../../core/message/context.ts';
import type { LinkValues, Route, RouteInput, RouteValues } from '../../core/routing/route.ts';
import type { ValuesOf } from '../../core/routing/template.ts';
import type { Parameters, ParameterValues, PathValues, ReadParameters } from '../parameters/parameter.ts';
import type { InferBody, Schema } from '../schema/schema.ts';
import { callerOf, type IdentityOf } from '../security.ts';
import type { LinkTarget, OperationReference, RouteNames, TargetArguments } from './operation-reference.ts';
import { operationLink } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';

/**
 * Makes the path of an operation of the same plugin, of a named route, or of this one. Values of the path that are not
 * given, or given as undefined, come from the request. A link to this operation keeps the declared query parameters of
 * the request in the same way, as they were sent; null leaves one out.
 *
 * For an operation, the compiler checks the values of its path and its query. It checks neither pairs, `[['page', 2]]`,
 * nor the values behind a function: write `() => other` for operations that link to each other, so that their types do
 * not depend on each other. A link without a path throws an `Error` that says why. A link by name is undefined then: a
 * name asks whether there is such a route, and a path for the values (D67).
 */
interface OperationLinker<Own extends string = string> {
  (to: () => any, values?: LinkValues): string;
  <To extends OperationReference>(to: To, ...values: LinkArguments<To, Own>): string;
  (name: string, values?: LinkValues): string | undefined;
  (values: LinkValues): string;
  /** The compiler shows this type, that of the last overload, for a call that none of them takes. */
  (to: LinkRemedy, values?: unknown): never;
}
type LinkRemedy = 'Give an operation, and the values of its path and query: link(read, { id })';

/** The values of a link to an operation; of one whose types are not known, any. */
type LinkArguments<To, Own extends string> = To extends {
  handle(input: OperationInput<infer Path, any, infer Query, any, infer Given>): unknown;
}
  ? TargetArguments<Path, Query, Given, Own>
  : [values?: LinkValues];

type ParametersOrNone<Declared> = Declared extends Parameters ? ParameterValues<Declared> : undefined;

/** What the handler of an operation receives. */
export class OperationInput<
  Path extends string,
  Body,
  Query = unknown,
  Headers = unknown,
  Given = unknown,
  Requirements = unknown,
> {
  readonly context: Context;
  /** The route of the operation. */
  readonly route: Route;
  /** The texts of the route values (§4.3 rule 7). */
  readonly values: ValuesOf<Path>;
  /** The declared parameters of the query; undefined where none is declared, and the query is not parsed then. */
  readonly query: ParametersOrNone<Query>;
  /** The declared headers, under the names of their declaration. */
  readonly headers: ParametersOrNone<Headers>;
  readonly body: Body extends OwnBody<infer Value> ? Value : Body extends Schema ? InferBody<Body> : undefined;
  readonly #input: RouteInput;
  readonly #nameOf: RouteNames;
  readonly #read: ReadParameters | undefined;
  readonly #typed: (values: RouteValues) => object;

  constructor(
    input: RouteInput,
    nameOf: RouteNames,
    read: ReadParameters | undefined,
    typed: (values: RouteValues) => object,
    body: unknown,
  ) {
    this.context = input.context;
    this.route = input.route;
    this.values = input.values as ValuesOf<Path>;
    this.query = read?.query as this['query'];
    this.headers = read?.headers as this['headers'];
    this.body = body as this['body'];
    this.#input = input;
    this.#read = read;
    this.#typed = typed;
    this.#nameOf = nameOf;
  }

  /** The parameters of the path, typed by their declaration or by the constraints of the route. */
  get parameters(): PathValues<Path, Given> {
    return { ...this.#typed(this.#input.values), ...(this.#read?.path as object) } as PathValues<Path, Given>;
  }

  /**
   * Who calls: what the first way of the `security` that allows the request has found (D71). Its type is known where
   * the operation, or `controller(…)`, declares the security. Throws an `Error` where none is required.
   */
  get identity(): IdentityOf<Requirements> {
    return callerOf(this.context, this.route.name) as IdentityOf<Requirements>;
  }

  /**
   * Makes links: `link(readOne, { id })` is the path of that operation, behind the base path, and `link({ page: 2 })`
   * this operation with another page. What is not given comes from the request: values of the path, and for a link to
   * this operation its declared query parameters. Null leaves one out. Throws an `Error` where there is no such path.
   */
  get link(): OperationLinker<Path> {
    return ((to: LinkTarget, values?: LinkValues) =>
      operationLink(to, values, this.#input, this.#nameOf, this.#read?.sentQuery)) as OperationLinker<Path>;
  }
}
