/**
 * Declares a controller, and what the route of an operation carries: the data token `operation` (§4.3 rule 6).
 */

import type { Pipeline } from '../../core/pipeline/stage.ts';
import type { Route } from '../../core/routing/route.ts';
import type { Parameters, PathParameters } from '../parameters/parameter.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Schema } from '../schema/schema.ts';
import type { Security } from '../security.ts';
import type { AnyOperation, Operation, ResponseDeclaration, Responses } from './operation.ts';
import type { RouteNames } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';
import type { ProblemFormats } from './problems.ts';

/** Operations that share a path and a tag in the description, in the order of their routes. */
export interface Controller {
  /** The tag in the description, `Todo` for example. */
  readonly name: string;
  /** The text of the tag in both documents. */
  readonly description?: string | undefined;
  /** The template in front of every operation's, `api/todo` for example (§4.1 rule 7). */
  readonly path: string;
  readonly operations: readonly AnyOperation[];
  /** Who may call the operations that do not say it themselves. */
  readonly security?: Security | undefined;
  /** Stages around each operation, behind the match and its security (D73). */
  readonly stages?: Pipeline | undefined;
  /** Writes the problems of the operations that do not say it themselves (D107). */
  readonly problems?: ProblemFormats | undefined;
  /**
   * Statuses of all its operations, besides those that each declares: what their stages answer. A handler returns only
   * what its own operation declares (D79).
   */
  readonly responses?: Responses | undefined;
}

/**
 * Declares an operation. Below a controller, its handler has the parameters of the controller's path too, and its
 * security.
 *
 * `NoInfer`: in a list the compiler would infer the types from `AnyOperation`, where all of them are `any`.
 */
export type DeclareOperation<Prefix extends string, Outer extends Security | undefined, Made = unknown> = <
  const Path extends string,
  const R extends Responses,
  const Body extends Schema | OwnBody | undefined = undefined,
  const Query extends Parameters | undefined = undefined,
  const Headers extends Parameters | undefined = undefined,
  const Given extends PathParameters = Record<never, never>,
  const Requirements extends Security | undefined = Outer,
>(
  declaration: Operation<Path, R, Body, Query, Headers, Given, Below<Prefix, Path>, Requirements>,
) => NoInfer<Operation<Path, R, Body, Query, Headers, Given, Below<Prefix, Path>, Requirements>> & Made;
type Below<Prefix extends string, Path extends string> = Prefix extends '' ? Path : `${Prefix}/${Path}`;

/**
 * Makes a controller whose path has parameters: `operations` is called once, with a function that declares operations
 * as `operation` does, whose handlers have the values of both paths (D70).
 *
 *     controller({
 *       name: 'Tasks',
 *       path: 'api/lists/{list:int}/tasks',
 *       operations: (operation) => [
 *         operation({
 *           method: 'GET',
 *           path: '{id}',
 *           responses: { 200: { schema: { type: 'string' } } },
 *           handle: ({ parameters: { list, id } }) => ok(`Task ${id} of list ${list}`),
 *         }),
 *       ],
 *     });
 */
export const controller = <
  const Prefix extends string,
  const Outer extends Security | undefined = undefined,
>(declaration: {
  readonly name: string;
  readonly description?: string | undefined;
  readonly path: Prefix;
  readonly security?: Outer | undefined;
  readonly stages?: Pipeline | undefined;
  readonly problems?: ProblemFormats | undefined;
  readonly responses?: Responses | undefined;
  readonly operations: (operation: DeclareOperation<Prefix, Outer>) => readonly AnyOperation[];
}): Controller => ({ ...declaration, operations: declaration.operations((one) => one) });

/** An operation as its route carries it: complete, with what it takes from its controller and the application. */
export interface RoutedOperation {
  readonly controller: Controller;
  readonly operation: Operation;
  /** The operationId. It is the name of the route too; that of a mounted operation with an own id has slashes (D98). */
  readonly id: string;
  /** Names the routes that it can link to. */
  readonly nameOf: RouteNames;
  /** What the operation, its controller or `operations(…)` requires; undefined or empty where nothing is required. */
  readonly security?: Security | undefined;
  /** Are parameters of the query that are not declared refused (D102)? */
  readonly isStrict: boolean;
  /** The names of its properties in JSON. */
  readonly naming: PropertyNaming;
  /** How its problems are written; undefined for RFC 9457. */
  readonly problems?: ProblemFormats | undefined;
  /** What the stages of plugins can answer in its place. */
  readonly pluginResponses?: readonly Responses[] | undefined;
}

/**
 * Responses that are added to all operations, or to each as the function says: it returns `{}` for none, and a status
 * that is undefined in it is not added.
 */
export type AddedResponses =
  | Responses
  | ((routed: RoutedOperation) => Readonly<Record<number, ResponseDeclaration | undefined>>);

/** The operation that a route carries; undefined for a route that was made without one. */
export const operationOf = ({ dataTokens }: Route): RoutedOperation | undefined =>
  dataTokens?.['operation'] as RoutedOperation | undefined;
