/** Defines the options of all operations, and the offer with which plugins add authenticators. */
import type { Plugin } from '../core/application/plugin.ts';
import type { Context } from '../core/http/context.ts';
import { assertOptions } from '../core/options/assert-options.ts';
import { offer } from '../core/routing/composition.ts';
import { routeText } from '../core/routing/explain.ts';
import type { Route } from '../core/routing/route.ts';
import { type ProblemFormat, problemsIn } from './operation/problems.ts';
import type { Result } from './operation/results.ts';
import type { PropertyNaming } from './schema/names.ts';
import { type Authenticator, assertSecurity, type DeclaredRoles, type Security } from './security.ts';

/** The options of all operations. An operation may override `security` and `strictQuery`, a controller `security`. */
export interface OperationOptions {
  /** The spelling of properties in JSON. The default is `camelCase` (D1). */
  readonly naming?: PropertyNaming | undefined;
  /** The schemes and roles that allow a caller. By default everybody may call. */
  readonly security?: Security | undefined;
  /** Refuses undeclared query parameters with 400. The default is false (D102). */
  readonly strictQuery?: boolean | undefined;
  /**
   * The format of problems, also of problems from stages and other routes. The default is RFC 9457. `problemFormat(…)`
   * creates a format.
   */
  readonly problems?: ProblemFormat | undefined;
  /**
   * Returns the result for an error that a handler of an operation throws, such as `problem(409, …)` for an error of the
   * domain. If it returns undefined, the error is handled as without this option. It is not called for an `HttpProblem`.
   * The operation declares the status.
   */
  readonly faults?: ((error: unknown, context: Context) => Result | undefined) | undefined;
}

/** The key under which a plugin offers the options of all operations. */
export const operationOptions = offer<OperationOptions>('todo-item-service: options of operations');

/** The key under which a plugin offers authenticators, which check credentials for the operations of all plugins. */
export const authenticators = offer<readonly Authenticator[]>('todo-item-service: authenticators');

/**
 * Returns a plugin that sets the options of all operations of an application, including mounted plugins. Put it before
 * the other plugins, so that `problems` also applies to their outer stages. Throws a `TypeError` if an option is
 * invalid.
 *
 *     const responses = { 204: { description: 'It runs' } };
 *     const ping = operation({ method: 'GET', path: 'ping', responses, handle: () => noContent() });
 *     application([operations({ strictQuery: true }), { name: 'ping', routes: [ping] }]);
 */
export function operations<const Requirements extends Security>(
  declaration: OperationOptions & { readonly security?: Requirements | undefined } & DeclaredRoles<Requirements>,
): Plugin {
  const options: OperationOptions = declaration;
  assertOptions('set the options of operations', options, ['naming', 'security', 'strictQuery', 'problems', 'faults']);
  const { security = [], problems, faults } = options;
  assertSecurity(security, 'all operations');
  if (faults !== undefined && typeof faults !== 'function')
    throw new TypeError('Cannot set the options of operations: "faults" is not a function (error, context) => result');
  return {
    name: 'operations',
    offers: [operationOptions.of(options)],
    ...(problems && { outerStages: [problemsIn(problems)] }),
    composed(routes, warn) {
      const open = security.length > 0 ? [...routes].filter(isOpen).map(routeText) : [];
      const remedy = 'give each the stages that guard it, declare an operation, or say so with public: true';
      if (open.length > 0)
        warn(`Everybody may call ${open.join(', ')}: the security of operations holds for them alone; ${remedy}`);
    },
  };
}

/** Returns whether a route is neither an operation, nor guarded by stages, nor declared as public (D71). */
const isOpen = ({ stages, dataTokens }: Route): boolean =>
  stages === undefined && dataTokens?.['security'] === undefined && dataTokens?.['operation'] === undefined;
