/** Declares what holds for the operations of all plugins: their options, who checks credentials, added responses. */
import type { Plugin } from '../core/application/plugin.ts';
import { assertOptions } from '../core/options/assert-options.ts';
import { offer } from '../core/routing/composition.ts';
import { routeText } from '../core/routing/explain.ts';
import type { Route } from '../core/routing/route.ts';
import type { AddedResponses } from './operation/controller.ts';
import { type ProblemFormats, problemsBy, problemWriter } from './operation/problems.ts';

import type { PropertyNaming } from './schema/names.ts';
import { type Authenticator, assertSecurity, type Security } from './security.ts';

/** The options of all operations. A controller or an operation can have its own. */
export interface OperationOptions {
  /** The names of properties in JSON: `camelCase` unless given (D1). */
  readonly naming?: PropertyNaming | undefined;
  /** Who may call an operation; everybody unless given. */
  readonly security?: Security | undefined;
  /** Do operations refuse query parameters that they do not declare? False unless given (D102). */
  readonly strictQuery?: boolean | undefined;
  /**
   * How problems are written, those of stages and of other routes too; as RFC 9457 says unless given.
   * `problemFormat(…)` makes a format. `Accept` chooses one of a list.
   */
  readonly problems?: ProblemFormats | undefined;
}

/** The key of the options of all operations. */
export const operationOptions = offer<OperationOptions>('todo-item-service: options of operations');

/** The key of authenticators. They check the credentials that operations of all plugins require. */
export const authenticators = offer<readonly Authenticator[]>('todo-item-service: authenticators');

/**
 * The key of responses that stages of the plugin answer in the place of operations: texts and headers by status, for
 * all operations or as a function of each (D79). The responses of a mounted plugin are added to the operations that a
 * path below its prefix can reach.
 */
export const addedResponses = offer<AddedResponses>('todo-item-service: added responses');

/**
 * Returns the plugin that sets the options of all operations of an application, also of those of mounted plugins. Place
 * it before the other plugins, so that `problems` holds for their outer stages too. Throws a `TypeError` for an option
 * that cannot be used.
 *
 *     const responses = { 204: { description: 'It runs' } };
 *     const ping = operation({ method: 'GET', path: 'ping', responses, handle: () => noContent() });
 *     application([operations({ strictQuery: true }), { name: 'ping', routes: [ping] }]);
 */
export function operations(options: OperationOptions): Plugin {
  assertOptions('set the options of operations', options, ['naming', 'security', 'strictQuery', 'problems']);
  const { security = [], problems } = options;
  assertSecurity(security, 'all operations');
  return {
    name: 'operations',
    offers: [operationOptions.of(options)],
    ...(problems && { outerStages: [problemsBy(problemWriter(problems, 'the application'))] }),
    composed(routes, warn) {
      const open = security.length > 0 ? [...routes].filter(isOpen).map(routeText) : [];
      const remedy = 'give each the stages that guard it, declare an operation, or say so with public: true';
      if (open.length > 0)
        warn(`Everybody may call ${open.join(', ')}: the security of operations holds for them alone; ${remedy}`);
    },
  };
}

/** Is this a plain route that nothing guards and that does not say that everybody may call it (D71)? */
const isOpen = ({ stages, dataTokens }: Route): boolean =>
  stages === undefined && dataTokens?.['security'] === undefined && dataTokens?.['operation'] === undefined;
