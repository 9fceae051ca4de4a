/**
 * Turns operations into routes. A request that such a route matches takes three steps: read the body where one is
 * declared, call the handler, make a reply of its answer.
 *
 * The operation is a data token of its route: data without an effect on matching (§4.3). The description is made from
 * these tokens, so what is not routed is not described. `after` continues at once with a value, later with a promise.
 */
import { after } from '../../message/after.ts';
import type { ErrorLog } from '../../message/problem.ts';
import { pendingReply } from '../../message/ready-reply.ts';
import type { Reply } from '../../message/reply.ts';
import { recordOf } from '../../message/request-record.ts';
import { declaredStages } from '../../pipeline/stage.ts';
import type { Route, RouteHandler, RouteInput } from '../../routing/route.ts';
import { parseTemplate, type RouteTemplate } from '../../routing/template.ts';
import { type Controller, operationOf, type RoutedOperation, templateOf } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { namesOf, refuseDuplicates } from '../operation/operation-id.ts';
import { OperationInput } from '../operation/operation-input.ts';
import type { OperationReference, RouteNames } from '../operation/operation-reference.ts';
import { problemWriter } from '../operation/problem-format.ts';
import type { ReadParameters } from '../parameters/parameter.ts';
import { typedValues } from '../parameters/path-parameter.ts';
import type { PropertyNaming } from '../schema/names.ts';
import type { Authenticator, Security } from '../security.ts';
import { assertDeclaration } from './assert-declaration.ts';
import { bodyReader } from './json-body.ts';
import { OperationReplies } from './operation-reply.ts';
import { problemsBy, timeLimit } from './operation-stages.ts';
import { parameterReader } from './read-parameters.ts';
import { securityCheck } from './security-check.ts';

/** `camelCase` and no security unless given. */
export interface OperationSettings {
  /** `camelCase` unless given (D1). */
  readonly naming?: PropertyNaming | undefined;
  /** Who may call the operations whose controllers do not say it. */
  readonly security?: Security | undefined;
  /** Whether operations that do not say it refuse what their query does not declare (D102). */
  readonly strictQuery?: boolean | undefined;
  /** Check the credentials that operations require. */
  readonly authenticators?: readonly Authenticator[] | undefined;
}

/** These settings, and what an application learns from its plugins. */
interface RouteSettings extends OperationSettings {
  /** Returns the operation with what the stages of plugins can answer in its place. */
  readonly complete?: ((routed: RoutedOperation) => RoutedOperation) | undefined;
  /** What the operations of other plugins have in a description; `refuseDuplicates` adds those of these routes. */
  readonly seen?: Map<string, string> | undefined;
  /** Is called where a problem cannot be written in the format of an operation. */
  readonly log?: ErrorLog | undefined;
}

/**
 * The routes of these controllers, in their order. Throws an `Error` for two operations with the same operationId, or
 * the same method and path in a description, and a `TypeError` for a schema that cannot be used.
 */
export const routesOf = (...controllers: readonly Controller[]): Route[] => operationRoutes(controllers);

/** Does the same as `routesOf`, with settings. */
export function operationRoutes(controllers: readonly Controller[], settings: RouteSettings = {}): Route[] {
  const plugin = new Map<OperationReference, string>();
  const routes = controllers.flatMap((controller) => {
    const own = new Map<OperationReference, string>();
    const nameOf: RouteNames = (to) => (typeof to === 'string' ? to : (own.get(to) ?? plugin.get(to)));
    return controller.operations.map((operation) => {
      const route = operationRoute(controller, operation, nameOf, settings);
      own.set(operation, route.name!);
      if (!plugin.has(operation)) plugin.set(operation, route.name!);
      return route;
    });
  });
  const described = routes.map((one) => {
    const { operation, id } = operationOf(one)!;
    return { method: operation.method, template: one.template.text, segments: one.template.segments, id };
  });
  refuseDuplicates(described, settings.seen);
  return routes;
}

function operationRoute(
  controller: Controller,
  operation: AnyOperation,
  nameOf: RouteNames,
  {
    naming = 'camelCase',
    security: general,
    strictQuery,
    authenticators = [],
    complete = (one) => one,
    log,
  }: RouteSettings,
): Route {
  const template = parseTemplate(templateOf({ controller, operation }));
  const { name, id } = namesOf(operation, controller.linkScopes, template);
  const security = operation.public === true ? [] : (operation.security ?? controller.security ?? general);
  const isStrict = operation.strictQuery ?? strictQuery ?? false;
  const problems = operation.problems ?? controller.problems;
  const routed = complete({
    controller,
    operation,
    id,
    nameOf,
    ...(security && { security }),
    ...(isStrict && { isStrict }),
    ...(problems && { problems }),
  });
  assertDeclaration(routed, template);
  const stages = [
    problems && problemsBy(problemWriter(problems, `the operation "${id}"`, log)),
    timeLimit(operation),
    securityCheck(routed, authenticators),
    declaredStages(routed.controller.stages, `the controller "${controller.name}"`),
    declaredStages(routed.operation.stages, `the operation "${id}"`),
  ].flatMap((one) => one ?? []);
  return {
    template,
    handle: handlerOf(routed, template, naming),
    ...(stages.length > 0 && { stages }),
    method: operation.method,
    dataTokens: { operation: routed },
    name,
    ...(controller.linkScopes && { linkScopes: controller.linkScopes, prefix: controller.prefix }),
  };
}

/** The steps behind the match. An operation without a body, whose handler does not wait, is answered at once. */
function handlerOf(routed: RoutedOperation, template: RouteTemplate, naming: PropertyNaming): RouteHandler {
  const { handle, body: declared } = routed.operation as AnyOperation;
  const replies = new OperationReplies(routed, naming);
  const readParameters = parameterReader(routed.operation, template, routed.isStrict);
  const typed = typedValues(template);
  const replyTo = (input: RouteInput, read?: ReadParameters, body?: unknown): Reply | Promise<Reply> =>
    after(handle(new OperationInput(input, routed.nameOf, read, typed, body)), (returned: Reply) =>
      replies.replyTo(returned, input),
    );
  if (declared === undefined) return (input) => replyTo(input, readParameters?.(input));
  const read = bodyReader(declared, naming);
  return (input) => {
    const { context } = input;
    const parameters = readParameters?.(input);
    return pendingReply(
      read(context).then((body) => replyTo(input, parameters, body)),
      recordOf(context),
    );
  };
}
