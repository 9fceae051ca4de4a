/**
 * Declares operations as incomplete routes. The composition of the application completes each route, because only then
 * all options and authenticators are known. Routes of operations are tried in their place in the list (D123).
 *
 * A completed route has its operation as a data token, which does not affect matching (§4.3). The description reads
 * these tokens, so it lists exactly the operations that have a route.
 */
import { PluginError } from '../../core/application/plugin.ts';
import { TICK_MS } from '../../core/http/limits.ts';
import { HttpProblem } from '../../core/http/problem.ts';
import { setTimeLimit } from '../../core/pipeline/handler-time.ts';
import { declaredStages, type Stage } from '../../core/pipeline/stage.ts';
import type { Composition, IncompleteRoute, InnerHandler } from '../../core/routing/composition.ts';
import { missingRoute } from '../../core/routing/explain.ts';
import type { Route, RouteLinks } from '../../core/routing/route.ts';
import { parseTemplate } from '../../core/routing/template.ts';
import type { Controller, DeclareOperation, RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { namesOf, refuseDuplicate } from '../operation/operation-id.ts';
import type { OperationReference, RouteNames } from '../operation/operation-reference.ts';
import { isOwnBody, ownBody } from '../operation/own-body.ts';
import { type OperationOptions, operationOptions } from '../operations.ts';
import { assertController, assertDeclaration, assertOperation, assertUnchanged } from './assert-declaration.ts';
import { doubtfulPatterns } from './doubtful-patterns.ts';
import { operationHandler } from './operation-handler.ts';
import { responsesOfStages } from './responses-of.ts';
import { authenticatorsOf, securityCheck } from './security-check.ts';

/**
 * Declares an operation, for the routes of a plugin or for a controller. The types of `handle` are derived from the
 * other members. Never throws: `application(…)` throws if the declaration is invalid.
 */
export const operation: DeclareOperation<'', undefined, IncompleteRoute> = (declaration) => {
  const declared = { ...declaration };
  return Object.assign(declared, incompleteRoute(String(declaration.path), declared));
};

/** Returns the routes of these controllers, in their order. Throws a `TypeError` for an invalid controller. */
export const routesOf = (...controllers: readonly Controller[]): IncompleteRoute[] =>
  controllers.flatMap((controller) => {
    assertController(controller);
    return controller.operations.map((operation) => {
      const path = [controller.path, operation.path].filter((part) => part !== '').join('/');
      return incompleteRoute(path, operation, controller);
    });
  });

const incompleteRoute = (path: string, operation: AnyOperation, controller?: Controller): IncompleteRoute => ({
  template: parseTemplate(path),
  complete(composition) {
    assertUnchanged(this, operation);
    return completed(composition, operation, controller);
  },
});

/** The operations of each application. The key is the list of its routes. */
const applications = new WeakMap<Composition['routes'], ReturnType<typeof newOperations>>();
const newOperations = () => ({
  /** The ids and the paths, to find duplicates. */
  documented: new Map<string, string>(),
  /** The routes of an operation: several if its plugin is mounted twice, or if several controllers have it. */
  routed: new Map<OperationReference, RoutedName[]>(),
});
interface RoutedName {
  readonly plugin: string;
  readonly controller: Controller;
  readonly name: string;
}

function completed(
  composition: Composition,
  operation: AnyOperation,
  controller: Controller = { name: composition.plugin, path: '', operations: [operation] },
): Route {
  const { plugin, template, scope, routes, stagesBefore, offered } = composition;
  assertOperation(operation);
  const operations = applications.get(routes) ?? newOperations();
  applications.set(routes, operations);
  const options = optionsOf(offered);
  const { name, id } = namesOf(operation, template, scope);
  const subject = `the operation "${id}"`;
  const { method, body } = operation;
  const routed: RoutedOperation = {
    controller,
    operation,
    id,
    nameOf: routeNames(operations.routed, plugin, controller),
    naming: options.naming ?? 'camelCase',
    security: operation.public === true ? [] : (operation.security ?? controller.security ?? options.security),
    isStrict: operation.strictQuery ?? options.strictQuery ?? false,
    problems: options.problems,
  };
  assertDeclaration(routed, template);
  refuseDuplicate(operation.method, template, id, operations.documented);
  operations.routed.set(operation, [...(operations.routed.get(operation) ?? []), { plugin, controller, name }]);
  const stages = [
    timeLimit(operation),
    securityCheck(routed, authenticatorsOf(offered)),
    declaredStages(controller.stages, `the controller "${controller.name}"`),
    declaredStages(operation.stages, subject),
  ].flatMap((stage) => stage ?? []);
  const before = [...stagesBefore, ...(controller.stages ?? []), ...(operation.stages ?? [])];
  const stageResponses = responsesOfStages(before, routed);
  const handle = composition.instrumented(operation.handle as InnerHandler) as AnyOperation['handle'];
  return {
    template,
    handle: operationHandler(routed, template, withKnownFaults(handle, options)),
    ...(stages.length > 0 && { stages }),
    method,
    dataTokens: { operation: { ...routed, stageResponses } },
    name,
    composed: (links, warn) => {
      assertLocations(routed, links, scope);
      for (const line of doubtfulPatterns(routed)) warn(line);
    },
    ...(isOwnBody(body) && { assertLimits: (limits) => body[ownBody].assertFits(body, id, limits) }),
  };
}

/** Returns the options for all operations. Throws a `PluginError` if two plugins or a mounted plugin set them. */
export function optionsOf(offered: Composition['offered']): OperationOptions {
  const [options, other] = offered(operationOptions);
  const surplus = other ?? (options?.prefix === undefined ? undefined : options);
  if (surplus === undefined) return options?.value ?? {};
  const remedy = 'use operations(…) once, and directly in application([…])';
  throw new PluginError('Cannot add the plugin', surplus.plugin, `it sets the options of all operations; ${remedy}`);
}

/** Returns the handler. If it throws an error for which `faults` returns a result, it returns this result instead. */
function withKnownFaults(handle: AnyOperation['handle'], { faults }: OperationOptions): AnyOperation['handle'] {
  if (faults === undefined) return handle;
  return async (input) => {
    try {
      return await handle(input);
    } catch (error) {
      const result = error instanceof HttpProblem ? undefined : faults(error, input.context);
      if (result === undefined) throw error;
      return result;
    }
  };
}

/** Returns a function that names the route of an operation of this plugin, preferably in the same controller. */
function routeNames(
  routed: ReadonlyMap<OperationReference, readonly RoutedName[]>,
  plugin: string,
  controller: Controller,
): RouteNames {
  return (to) => {
    if (typeof to === 'string') return to;
    let first: string | undefined;
    for (const route of routed.get(to) ?? []) {
      if (route.plugin !== plugin) continue;
      if (route.controller === controller) return route.name;
      first ??= route.name;
    }
    return first;
  };
}

/**
 * Throws a `TypeError` that lists every declared Location of the operation whose target does not exist. If a response
 * does not declare its `location`, a wrong target is found at the first request instead.
 */
function assertLocations({ operation, id, nameOf }: RoutedOperation, routes: RouteLinks, scope: string) {
  const faults = Object.entries(operation.responses).flatMap(([status, { location: to }]) => {
    if (to === undefined) return [];
    const attempt = `Cannot make the Location of ${status} of the operation "${id}"`;
    if (typeof to === 'string')
      return routes.hasNamed(to, scope) ? [] : `${attempt}: ${missingRoute(to)}, or an operation of this plugin`;
    const remedy = 'is not an operation of the plugin; name its route by its operationId';
    return nameOf(to) === undefined ? `${attempt}: "${to.method} ${to.path}" ${remedy}` : [];
  });
  if (faults.length > 0) throw new TypeError(faults.join('. '));
}

/**
 * Returns a stage that replaces the server's time limit for the handler (D48). Throws a `RangeError` for a
 * `handlerTimeout` that is not a number of 1000 or more.
 */
function timeLimit({ handlerTimeout, method, path }: AnyOperation): Stage | undefined {
  if (handlerTimeout === undefined) return undefined;
  if (typeof handlerTimeout !== 'number' || !(handlerTimeout >= TICK_MS))
    throw new RangeError(
      `Cannot give the operation "${method} ${path}" ${handlerTimeout} ms to reply: ` +
        `the time is checked once a second; use ${TICK_MS} or more`,
    );
  return function timeLimit(context, next) {
    setTimeLimit(context, handlerTimeout);
    return next(context);
  };
}
