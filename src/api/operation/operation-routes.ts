/**
 * Operations as routes: match, then the body where one is declared, then the handler, then the reply.
 *
 * The operation rides on its route as a data token – the specification's own word for what is "developer-defined, with no
 * effect on matching" (§4.3) – and the description is read back from there: what is not routed is not described.
 */
import { trustPromise } from '../../http/message/check-reply.ts';
import { Context, type Reply } from '../../http/message/context.ts';
import { HttpProblem, problemReply } from '../../http/message/problem.ts';
import { type Route, type RouteHandler, route } from '../../routing/route/route.ts';
import type { RouteCollection } from '../../routing/route-collection.ts';
import type { PropertyNaming } from '../schema/property-naming.ts';
import type { Schema } from '../schema/schema.ts';
import { serializer } from '../schema/serialize.ts';
import { bodyValidator } from '../schema/validate.ts';
import type { Answer } from './answers.ts';
import type { Controller } from './controller.ts';
import { readJsonBody } from './json-body.ts';
import type { AnyOperation, Operation } from './operation.ts';
import { operationId, refuseDuplicates } from './operation-id.ts';
import { type AnswerForm, operationReply } from './operation-reply.ts';

/** The data token `operation` of a route. */
export interface RoutedOperation {
  readonly controller: Controller;
  readonly operation: Operation;
  /** The operationId; the route has this name too. */
  readonly id: string;
}

/** What may be told beside the controllers. */
export interface OperationSettings {
  /** `camelCase` unless given (D1). */
  readonly naming?: PropertyNaming;
  /** Is shown every reply of an operation before it is sent; throws where it is not what the operation declares. */
  readonly verify?: (routed: RoutedOperation, reply: Reply) => void;
}

/** The routes of these controllers, in their order. Throws for two operations of one operationId, and what `route` throws. */
export const routesOf = (...controllers: readonly Controller[]): Route[] => operationRoutes(controllers);

/** As `routesOf`, with settings. */
export function operationRoutes(controllers: readonly Controller[], settings: OperationSettings = {}): Route[] {
  const routes = controllers.flatMap((controller) => {
    const names = new Map<AnyOperation, string>();
    return controller.operations.map((operation) => operationRoute(controller, operation, names, settings));
  });
  refuseDuplicates(routes.map(({ name, template, methods }) => [name!, `${methods} ${template.text}`]));
  return routes;
}

/** The operation that a route carries, if any. */
export const operationOf = (matched: Route): RoutedOperation | undefined =>
  matched.dataTokens?.['operation'] as RoutedOperation | undefined;

type Names = Map<AnyOperation, string>;

interface HandlerInput {
  readonly context: Context;
  readonly values: unknown;
  readonly body: unknown;
  readonly text: string | undefined;
}

function operationRoute(
  controller: Controller,
  operation: AnyOperation,
  names: Names,
  settings: OperationSettings,
): Route {
  const template = [controller.path, operation.path].filter((part) => part !== '').join('/');
  const routed: { -readonly [Key in keyof RoutedOperation]: RoutedOperation[Key] } = { controller, operation, id: '' };
  const made = route(template, handlerOf(routed, names, settings), {
    methods: operation.method,
    dataTokens: { operation: routed },
  });
  routed.id = operationId(operation.method, made.template.segments);
  names.set(operation, routed.id);
  return { ...made, name: routed.id };
}

function handlerOf(
  routed: RoutedOperation,
  names: Names,
  { naming = 'camelCase', verify }: OperationSettings,
): RouteHandler {
  const handler = withTimeLimit(unverifiedHandler(routed, names, naming), routed.operation);
  return verify === undefined ? handler : verified(handler, (reply) => verify(routed, reply));
}

/** Shows every reply to `verify`, those made of a problem that was thrown included. */
function verified(handler: RouteHandler, verify: (reply: Reply) => void): RouteHandler {
  return async (context, match, routes) => {
    let reply: Reply;
    try {
      reply = await handler(context, match, routes);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      reply = problemReply(context, error.status, error.message, error.extra);
    }
    verify(reply);
    return reply;
  };
}

function unverifiedHandler(routed: RoutedOperation, names: Names, naming: PropertyNaming): RouteHandler {
  const { operation } = routed,
    form = answerForm(routed, names, naming);
  const handle = operation.handle as (input: HandlerInput) => Answer | Promise<Answer>;
  const replyTo = (answer: Answer, context: Context, routes: RouteCollection): Reply =>
    operationReply(answer, form, context, routes);
  const answer = (routes: RouteCollection, input: HandlerInput): Reply | Promise<Reply> => {
    const { context } = input,
      made = handle(input);
    return made instanceof Promise
      ? made.then((waited) => replyTo(waited, context, routes))
      : replyTo(made, context, routes);
  };
  if (operation.body === undefined) {
    return (context, { values }, routes) => answer(routes, { context, values, body: undefined, text: undefined });
  }
  const read = bodyValidator(operation.body, naming);
  return (context, { values }, routes) =>
    trustPromise(
      readJsonBody(context, read, (body, text) => answer(routes, { context, values, body, text })),
      context,
    );
}

/** Gives the handler the time that its operation allows it. */
function withTimeLimit(handler: RouteHandler, { handlerTimeout, method, path }: Operation): RouteHandler {
  if (handlerTimeout === undefined) return handler;
  if (typeof handlerTimeout !== 'number' || !(handlerTimeout > 0)) {
    throw new RangeError(
      `Cannot give the operation "${method} ${path}" ${handlerTimeout} ms to answer: it is no time; give more than 0`,
    );
  }
  return (context, match, routes) => {
    const state = Context.stateOf(context);
    if (state !== undefined) state.timeLimit = handlerTimeout;
    return handler(context, match, routes);
  };
}

function answerForm(routed: RoutedOperation, names: Names, naming: PropertyNaming): AnswerForm {
  const { operation } = routed;
  const writers = new Map<number, (value: unknown) => string>();
  for (const [status, { schema }] of Object.entries(operation.responses)) {
    if (schema !== undefined)
      writers.set(Number(status), serializer(schema as Schema, naming) as (value: unknown) => string);
  }
  return {
    // Known once the route is made.
    get id() {
      return routed.id;
    },
    isRead: operation.method === 'GET',
    produces: producedBy(operation),
    write: (status, body) => writers.get(status)?.(body) ?? JSON.stringify(body),
    nameOf: (target) => names.get(target),
  };
}

/** The media types of an operation's successes: JSON where one has a schema, unless it lists its own. */
export function producedBy({ produces, responses }: Operation): readonly string[] {
  const withBody = Object.entries(responses).some(
    ([status, { schema }]) => Number(status) < 300 && schema !== undefined,
  );
  return produces ?? (withBody ? ['application/json'] : []);
}
