/**
 * Declares operations as routes that complete themselves, and completes them.
 *
 * The operation is a data token of its route: data without an effect on matching (§4.3). The description reads
 * these tokens, so it lists only operations that are routed.
 */
import { PluginError } from '../../core/application/plugin.ts';
import { declaredStages } from '../../core/pipeline/stage.ts';
import type { Composition, IncompleteRoute } from '../../core/routing/composition.ts';
import { missingRoute } from '../../core/routing/explain.ts';
import type { Route, RouteLinks } from '../../core/routing/route.ts';
import { parseTemplate } from '../../core/routing/template.ts';
import type { Controller, RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation, Operation, Responses } from '../operation/operation.ts';
import { namesOf, refuseDuplicate } from '../operation/operation-id.ts';
import type { OperationReference, RouteNames } from '../operation/operation-reference.ts';
import { isOwnBody, type OwnBody, ownBody } from '../operation/own-body.ts';
import { problemWriter } from '../operation/problem-format.ts';
import { operationOptions } from '../operations.ts';
import type { Parameters, PathParameters } from '../parameters/parameter.ts';
import type { Schema } from '../schema/schema.ts';
import type { Security } from '../security.ts';
import { responsesOfPlugins } from './added-responses.ts';
import { assertController, assertDeclaration, assertOperation } from './assert-declaration.ts';
import { operationHandler } from './operation-handler.ts';
import { problemsBy, timeLimit } from './operation-stages.ts';
import { authenticatorsOf, securityCheck } from './security-check.ts';

/**
 * Declares an operation: a route of a plugin, or a part of a controller. The types of `handle` follow from the other
 * members. Never throws: a mistake in the declaration is an error of `application(…)`.
 *
 * `NoInfer`: in a list the compiler would infer the types from `AnyOperation`, where all of them are `any`.
 */
export const operation = <
  const Path extends string,
  const R extends Responses,
  const Body extends Schema | OwnBody | undefined = undefined,
  const Query extends Parameters | undefined = undefined,
  const Headers extends Parameters | undefined = undefined,
  const Given extends PathParameters = Record<never, never>,
  const Requirements extends Security | undefined = undefined,
>(
  declaration: Operation<Path, R, Body, Query, Headers, Given, Path, Requirements>,
): NoInfer<Operation<Path, R, Body, Query, Headers, Given, Path, Requirements>> & IncompleteRoute => {
  const declared = {
    ...declaration,
    template: parseTemplate(String(declaration.path)),
    complete: (self: IncompleteRoute, composition: Composition) => completed(self, composition, declared),
  };
  DECLARED.set(declared.complete, { operation: declared });
  return declared;
};

/** The routes of these controllers, in their order. Throws a `TypeError` for a value that is not a controller. */
export const routesOf = (...controllers: readonly Controller[]): IncompleteRoute[] =>
  controllers.flatMap((controller) => {
    assertController(controller);
    return controller.operations.map((one) => {
      const path = [controller.path, one.path].filter((part) => part !== '').join('/');
      const complete: IncompleteRoute['complete'] = (self, composition) =>
        completed(self, composition, one, controller);
      DECLARED.set(complete, { operation: one, controller });
      return { template: parseTemplate(path), complete };
    });
  });

interface Declared {
  readonly operation: AnyOperation;
  /** Undefined for an operation that is a route as it stands. */
  readonly controller?: Controller | undefined;
}

/** What each route declares, by the function that completes it: `mounted` copies the route, and keeps the function. */
const DECLARED = new WeakMap<IncompleteRoute['complete'], Declared>();

function completed(
  self: IncompleteRoute,
  composition: Composition,
  operation: AnyOperation,
  controller: Controller = { name: composition.plugin, path: '', operations: [operation] },
): Route {
  const { template, linkScopes, prefix } = self;
  assertOperation(operation);
  assertUnchanged(self, operation);
  const { naming = 'camelCase', ...general } = optionsOf(composition);
  const { name, id } = namesOf(operation, linkScopes, template);
  const security = operation.public === true ? [] : (operation.security ?? controller.security ?? general.security);
  const isStrict = operation.strictQuery ?? general.strictQuery ?? false;
  const ownProblems = operation.problems ?? controller.problems;
  const problems = ownProblems ?? general.problems;
  const declared: RoutedOperation = {
    controller,
    operation,
    id,
    nameOf: routeNames(composition, controller),
    naming,
    security,
    isStrict,
    problems,
  };
  const routed = { ...declared, pluginResponses: responsesOfPlugins(composition, declared, template) };
  assertDeclaration(routed, template);
  const { method, body } = operation;
  refuseDuplicate({ method, template: template.text, segments: template.segments, id }, seenBy(composition));
  const stages = [
    ownProblems && problemsBy(problemWriter(ownProblems, `the operation "${id}"`)),
    timeLimit(operation),
    securityCheck(routed, authenticatorsOf(composition)),
    declaredStages(controller.stages, `the controller "${controller.name}"`),
    declaredStages(operation.stages, `the operation "${id}"`),
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

/** What `mounted` changes of a route, and what completes it. */
const PLACED: readonly string[] = ['template', 'complete', 'linkScopes', 'prefix'];

/** Throws a `TypeError` for a copy with another member: its `security` would be ignored, and everybody let in. */
function assertUnchanged(self: object, operation: AnyOperation): void {
  const declared: object = operation;
  const changed = Object.entries(self).find(
    ([name, value]) => !PLACED.includes(name) && value !== declared[name as keyof object],
  );
  if (changed === undefined) return;
  const [name] = changed;
  throw new TypeError(
    `Cannot declare "${operation.method} ${operation.path}": a copy of the operation has another "${name}"; declare the copy too, as operation({ ...copied, ${name} })`,
  );
}

/** The options that a plugin sets for all operations. Throws a `PluginError` for a second such plugin. */
function optionsOf({ offered }: Composition) {
  const [options, other] = offered(operationOptions);
  const isMounted = options?.prefix !== undefined;
  const remedy = 'give operations(…) once, to application([…]) itself';
  if (other !== undefined || isMounted)
    throw new PluginError(
      'Cannot add the plugin',
      (other ?? options!).plugin,
      `its options are those of all; ${remedy}`,
    );
  return options?.value ?? {};
}

/** The name of the route of an operation of this plugin, first of one of the same controller. */
function routeNames({ siblings }: Composition, controller: Controller): RouteNames {
  const nameOf = (to: OperationReference): string | undefined => {
    const found = siblings.flatMap((one) => {
      const declared = 'complete' in one ? DECLARED.get(one.complete) : undefined;
      return declared?.operation === to ? [{ one, declared }] : [];
    });
    const target = found.find(({ declared }) => declared.controller === controller) ?? found[0];
    return target && namesOf(target.declared.operation, target.one.linkScopes, target.one.template).name;
  };
  const names = new Map<OperationReference, string | undefined>();
  return (to) => {
    if (typeof to === 'string') return to;
    if (!names.has(to)) names.set(to, nameOf(to));
    return names.get(to);
  };
}

/** What the operations of an application have in a description, by its routes. */
const SEEN = new WeakMap<object, Map<string, string>>();
function seenBy({ routes }: Composition): Map<string, string> {
  const seen = SEEN.get(routes) ?? new Map<string, string>();
  SEEN.set(routes, seen);
  return seen;
}

/**
 * Throws a `TypeError` that names every declared Location of the operation that no values could make a path for. A
 * response that does not declare its `location` fails with the first request instead.
 */
function assertLocations({ operation, id, nameOf }: RoutedOperation, routes: RouteLinks, scopes?: readonly string[]) {
  const faults = Object.entries(operation.responses).flatMap(([status, { location: to }]) => {
    const isKnown =
      to === undefined || (typeof to === 'string' ? routes.hasNamed(to, scopes) : nameOf(to) !== undefined);
    if (isKnown) return [];
    const cause =
      typeof to === 'string'
        ? `${missingRoute(to)}, or an operation of this plugin`
        : `"${to.method} ${to.path}" is no operation of the plugin; name its route by its operationId`;
    return `Cannot make the Location of ${status} of the operation "${id}": ${cause}`;
  });
  if (faults.length > 0) throw new TypeError(faults.join('. '));
}
