/** Defines the input of an operation's handler: the input of a route's handler, the parameters, the body and links. */

import type { Context } from '../../core/http/context.ts';
import type { LinkValues, Route, RouteInput, RouteValues } from '../../core/routing/route.ts';
import type { ValuesOf } from '../../core/routing/template.ts';
import type { Parameters, ParameterValues, PathValues, ReadParameters } from '../parameters/parameter.ts';
import type { InferBody, Schema } from '../schema/schema.ts';
import { callerOf, type IdentityOf } from '../security.ts';
import type { LinkTarget, OperationReference, RouteNames, TargetArguments } from './operation-reference.ts';
import { operationLink } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';

/**
 * Returns a path. The target is an operation of the same plugin, the name of a route, or this operation. Path values
 * that are missing or undefined come from the request. A link to this operation also keeps the declared query
 * parameters of the request. Pass null to leave a value out.
 *
 * If the target is an operation, the compiler checks the path values and query values. It does not check values that
 * are pairs, such as `[['page', 2]]`, or the values for a function. If two operations link to each other, write `() =>
 * other`, so that their types do not depend on each other. Throws an `Error` with the cause if the values do not give a
 * path for an operation. For the name of a route, returns undefined instead (D67).
 */
interface OperationLinker<Own extends string = string> {
  (to: () => any, values?: LinkValues): string;
  <To extends OperationReference>(to: To, ...values: LinkArguments<To, Own>): string;
  (name: string, values?: LinkValues): string | undefined;
  (values: LinkValues): string;
  /** If no overload matches, the compiler shows the types of this last overload. */
  (to: LinkRemedy, values?: unknown): never;
}
type LinkRemedy = 'Give an operation, and the values of its path and query: link(read, { id })';

/** The type of the values of a link to an operation. If the operation's types are unknown, any values are allowed. */
type LinkArguments<To, Own extends string> = To extends {
  handle(input: OperationInput<infer Path, any, infer Query, any, infer Given>): unknown;
}
  ? TargetArguments<Path, Query, Given, Own>
  : [values?: LinkValues];

type ParametersOrNone<Declared> = Declared extends Parameters ? ParameterValues<Declared> : undefined;

/** The input of an operation's handler. */
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
  /** The declared query parameters. If none is declared, the query is not parsed and this is undefined. */
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
   * The identity of the caller, from the first entry of `security` that allows the request (D71). The type is known if
   * the operation or `controller(…)` declares the security. Throws an `Error` if no security is required.
   */
  get identity(): IdentityOf<Requirements> {
    return callerOf(this.context, this.route.name) as IdentityOf<Requirements>;
  }

  /**
   * Returns links with the base path: `link(readOne, { id })` to an operation, `link({ page: 2 })` to this operation
   * with another page. Missing path values come from the request. Pass null to leave a value out.
   */
  get link(): OperationLinker<Path> {
    return ((to: LinkTarget, values?: LinkValues) =>
      operationLink(to, values, this.#input, this.#nameOf, this.#read?.sentQuery)) as OperationLinker<Path>;
  }
}
