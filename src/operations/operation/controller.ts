/** Declares controllers, and the data token `operation` of a route (§4.3 rule 6). */

import type { Pipeline } from '../../core/pipeline/stage.ts';
import type { Route } from '../../core/routing/route.ts';
import type { Parameters, PathParameters } from '../parameters/parameter.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Schema } from '../schema/schema.ts';
import type { DeclaredRoles, Security } from '../security.ts';
import type { AnyOperation, Operation, Responses } from './operation.ts';
import type { RouteNames } from './operation-reference.ts';
import type { OwnBody } from './own-body.ts';
import type { ProblemFormat } from './problems.ts';

/** Operations that share a path and a tag in the description, in the order of their routes. */
export interface Controller {
  /** The tag in the description, such as `Todo`. */
  readonly name: string;
  /** The text of the tag in both documents. */
  readonly description?: string | undefined;
  /** The path before the path of each operation, such as `api/todo` (§4.1 rule 7). */
  readonly path: string;
  readonly operations: readonly AnyOperation[];
  /** The security of operations that do not declare security. */
  readonly security?: Security | undefined;
  /** Stages around each operation. They run after the route is matched and the security is checked (D73). */
  readonly stages?: Pipeline | undefined;
}

/**
 * The type of a function that declares an operation. In a controller, the handler also gets the parameters of the
 * controller's path and the identity from its security.
 *
 * `NoInfer` stops the compiler from inferring the types from the list's element type `AnyOperation`: they would be
 * `any`.
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
  declaration: Operation<Path, R, Body, Query, Headers, Given, Below<Prefix, Path>, Requirements> &
    DeclaredRoles<Requirements>,
) => NoInfer<Operation<Path, R, Body, Query, Headers, Given, Below<Prefix, Path>, Requirements>> & Made;
type Below<Prefix extends string, Path extends string> = Prefix extends '' ? Path : `${Prefix}/${Path}`;

/**
 * Returns a controller whose path may have parameters. Calls `operations` once, with a replacement for the function
 * `operation`. A handler gets the values of the controller's path and of the operation's path (D70).
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
export const controller = <const Prefix extends string, const Outer extends Security | undefined = undefined>(
  declaration: DeclaredRoles<Outer> & {
    readonly name: string;
    readonly description?: string | undefined;
    readonly path: Prefix;
    readonly security?: Outer | undefined;
    readonly stages?: Pipeline | undefined;
    readonly operations: (operation: DeclareOperation<Prefix, Outer>) => readonly AnyOperation[];
  },
): Controller => ({ ...declaration, operations: declaration.operations((declared) => declared) });

/**
 * An operation with the options of its controller and of the application. It is stored as a data token of its route.
 */
export interface RoutedOperation {
  readonly controller: Controller;
  readonly operation: Operation;
  /** The operationId. The name of a route may differ: it has slashes if a mounted operation has a custom id (D98). */
  readonly id: string;
  /** Returns the name of the route that a link or a Location of the operation leads to. */
  readonly nameOf: RouteNames;
  /** The security of the operation, its controller or `operations(…)`; undefined or empty if everybody may call. */
  readonly security?: Security | undefined;
  /** Whether undeclared query parameters are refused (D102). */
  readonly isStrict: boolean;
  /** The spelling of properties in JSON. */
  readonly naming: PropertyNaming;
  /** The format of problems; undefined for RFC 9457. */
  readonly problems?: ProblemFormat | undefined;
  /** The responses that stages may send instead of the operation. */
  readonly stageResponses?: readonly Responses[] | undefined;
}

/** Returns the operation of a route; undefined for a route without an operation. */
export const operationOf = ({ dataTokens }: Route): RoutedOperation | undefined =>
  dataTokens?.['operation'] as RoutedOperation | undefined;
