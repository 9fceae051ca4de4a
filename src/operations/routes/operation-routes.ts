/**
 * Declares operations as routes that complete themselves, and completes them.
 *
 * The operation is a data token of its route: data without an effect on matching (§4.3). The description reads
 * these tokens, so it lists only operations that are routed.
 */
import { PluginError } from '../../core/application/plugin.ts';
import { declaredStages, type Stage } from '../../core/pipeline/stage.ts';
import type { Composition, IncompleteRoute } from '../../core/routing/composition.ts';
import { missingRoute } from '../../core/routing/explain.ts';
import type { Route, RouteLinks } from '../../core/routing/route.ts';
import { parseTemplate } from '../../core/routing/template.ts';
import { TICK_MS } from '../../core/wire/connection/limits.ts';
import { setTimeLimit } from '../../core/wire/handler-time.ts';
import type { Controller, DeclareOperation, RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { namesOf, refuseDuplicate } from '../operation/operation-id.ts';
import type { OperationReference, RouteNames } from '../operation/operation-reference.ts';
import { isOwnBody, ownBody } from '../operation/own-body.ts';
import { problemsBy, problemWriter } from '../operation/problems.ts';
import { addedResponses, type OperationOptions, operationOptions } from '../operations.ts';
import { assertController, assertDeclaration, assertOperation, assertUnchanged } from './assert-declaration.ts';
import { operationHandler } from './operation-handler.ts';
import { responsesOfPlugins } from './responses-of.ts';
import { authenticatorsOf, securityCheck } from './security-check.ts';

/**
 * Declares an operation: a route of a plugin, or a part of a controller. The types of `handle` follow from the other
 * members. Never throws: a mistake in the declaration is an error of `application(…)`.
 */
export const operation: DeclareOperation<'', undefined, IncompleteRoute> = (declaration) => {
  const declared = {
    ...declaration,
    template: parseTemplate(String(declaration.path)),
    complete: (self: IncompleteRoute, composition: Composition) => completed(self, composition, declared),
  };
  return Object.assign(declared, { [DECLARED]: { operation: declared } });
};

/** The routes of these controllers, in their order. Throws a `TypeError` for a value that is not a controller. */
export const routesOf = (...controllers: readonly Controller[]): IncompleteRoute[] =>
  controllers.flatMap((controller) => {
    assertController(controller);
    return controller.operations.map((one): OperationRoute => {
      const path = [controller.path, one.path].filter((part) => part !== '').join('/');
      return {
        template: parseTemplate(path),
        complete: (self, composition) => completed(self, composition, one, controller),
        [DECLARED]: { operation: one, controller },
      };
    });
  });

/** The key of what a route declares. `mounted` copies it with the route. */
const DECLARED = Symbol('declared operation');
interface OperationRoute extends IncompleteRoute {
  readonly [DECLARED]: {
    readonly operation: AnyOperation;
    /** Undefined for an operation that is a route as it stands. */
    readonly controller?: Controller | undefined;
  };
}
const isOfOperation = (route: object): route is OperationRoute => DECLARED in route;

/** What the operations of an application have in common. */
const common = (offered: Composition['offered']) => ({
  options: optionsOf(offered),
  authenticators: authenticatorsOf(offered),
  added: offered(addedResponses),
  /** What they have in a description. */
  seen: new Map<string, string>(),
});

function completed(
  self: IncompleteRoute,
  composition: Composition,
  operation: AnyOperation,
  controller: Controller = { name: composition.plugin, path: '', operations: [operation] },
): Route {
  const { template, linkScopes, prefix } = self;
  assertOperation(operation);
  assertUnchanged(self, operation);
  const { options, authenticators, added, seen } = composition.once(common);
  const { name, id } = namesOf(operation, linkScopes, template);
  const subject = `the operation "${id}"`;
  const { method, body } = operation;
  const ownProblems = operation.problems ?? controller.problems;
  const declared: RoutedOperation = {
    controller,
    operation,
    id,
    nameOf: routeNames(composition, controller),
    naming: options.naming ?? 'camelCase',
    security: operation.public === true ? [] : (operation.security ?? controller.security ?? options.security),
    isStrict: operation.strictQuery ?? options.strictQuery ?? false,
    problems: ownProblems ?? options.problems,
  };
  const routed = { ...declared, pluginResponses: responsesOfPlugins(added, declared, template) };
  assertDeclaration(routed, template);
  refuseDuplicate({ method, template: template.text, segments: template.segments, id }, seen);
  const stages = [
    ownProblems && problemsBy(problemWriter(ownProblems, subject)),
    timeLimit(operation),
    securityCheck(routed, authenticators),
    declaredStages(controller.stages, `the controller "${controller.name}"`),
    declaredStages(operation.stages, subject),
  ].flatMap((one) => one ?? []);
  return {
    template,
    handle: operationHandler(routed, template, linkScopes),
    ...(stages.length > 0 && { stages }),
    method,
    dataTokens: { operation: routed },
    name,
    ...(linkScopes && { linkScopes, prefix }),
    composed: (routes) => assertLocations(routed, routes, linkScopes),
    ...(isOwnBody(body) && { assertLimits: (limits) => body[ownBody].assertFits(body, id, limits) }),
  };
}

/** The options that a plugin sets for all operations. Throws a `PluginError` for a second such plugin. */
function optionsOf(offered: Composition['offered']): OperationOptions {
  const [options, other] = offered(operationOptions);
  const surplus = other ?? (options?.prefix === undefined ? undefined : options);
  if (surplus === undefined) return options?.value ?? {};
  const remedy = 'give operations(…) once, to application([…]) itself';
  throw new PluginError('Cannot add the plugin', surplus.plugin, `its options are those of all; ${remedy}`);
}

/** Names the route of an operation of this plugin, first of one of the same controller. */
function routeNames({ siblings }: Composition, controller: Controller): RouteNames {
  // To make a name of a template takes 2.7 µs, a tenth of a POST with a Location.
  const names = new Map<OperationReference, string | undefined>();
  const nameOf = (to: OperationReference): string | undefined => {
    const found = siblings.filter(isOfOperation).filter((one) => one[DECLARED].operation === to);
    const target = found.find((one) => one[DECLARED].controller === controller) ?? found[0];
    return target && namesOf(target[DECLARED].operation, target.linkScopes, target.template).name;
  };
  return (to) => {
    if (typeof to === 'string') return to;
    if (!names.has(to)) names.set(to, nameOf(to));
    return names.get(to);
  };
}

/**
 * Throws a `TypeError` that names every declared Location of the operation that no values could make a path for. A
 * response that does not declare its `location` fails with the first request instead.
 */
function assertLocations({ operation, id, nameOf }: RoutedOperation, routes: RouteLinks, scopes?: readonly string[]) {
  const faults = Object.entries(operation.responses).flatMap(([status, { location: to }]) => {
    if (to === undefined) return [];
    const attempt = `Cannot make the Location of ${status} of the operation "${id}"`;
    if (typeof to === 'string')
      return routes.hasNamed(to, scopes) ? [] : `${attempt}: ${missingRoute(to)}, or an operation of this plugin`;
    const remedy = 'is no operation of the plugin; name its route by its operationId';
    return nameOf(to) === undefined ? `${attempt}: "${to.method} ${to.path}" ${remedy}` : [];
  });
  if (faults.length > 0) throw new TypeError(faults.join('. '));
}

/**
 * The stage that sets the time limit of the handler, in place of that of the server (D48). Throws a `RangeError` for a
 * `handlerTimeout` that is not a number of 1000 or more.
 */
function timeLimit({ handlerTimeout, method, path }: AnyOperation): Stage | undefined {
  if (handlerTimeout === undefined) return undefined;
  if (typeof handlerTimeout !== 'number' || !(handlerTimeout >= TICK_MS))
    throw new RangeError(
      `Cannot give the operation "${method} ${path}" ${handlerTimeout} ms to answer: it is no time, or one below a second, which ` +
        `is how often times are checked; give ${TICK_MS} or more`,
    );
  return function timeLimit(context, next) {
    setTimeLimit(context, handlerTimeout);
    return next(context);
  };
}
