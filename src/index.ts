/** Exports what every embedding program uses, sorted by file. */

export { type ApplicationOptions, application, type RunnableApplication } from './core/application/application.ts';
export { mounted } from './core/application/mounted.ts';
export { type Application, type Plugin, PluginError } from './core/application/plugin.ts';
export { type ServeOptions, type Serving, serve } from './core/application/serve.ts';
export { Context, type Handler } from './core/message/context.ts';
export { contextWith } from './core/message/context-with.ts';
export { type ErrorLog, HttpProblem, type Problem, problemReply } from './core/message/problem.ts';
export {
  empty,
  headerOf,
  json,
  type ReplyOptions,
  redirect,
  replyWith,
  stream,
  text,
  withHeaders,
} from './core/message/replies.ts';
export { makeReply, type ProblemExtra, type Reply, type Violation } from './core/message/reply.ts';
export { InvalidReply, type ReplyBody } from './core/message/reply-fault.ts';
export { type Slot, slot } from './core/message/slot.ts';
export {
  badRequest,
  created,
  insufficientStorage,
  noContent,
  notFound,
  ok,
  preconditionFailed,
  problem,
} from './core/operations/operation/answers.ts';
export { type AddedResponses, type Controller, controller } from './core/operations/operation/controller.ts';
export type { ResponseDeclaration, Responses } from './core/operations/operation/operation.ts';
export { type AnyOperation, type Operation, operation } from './core/operations/operation/operation.ts';
export type { OperationInput } from './core/operations/operation/operation-input.ts';
export type { ParameterDeclaration, Parameters } from './core/operations/parameters/parameter.ts';
export { type Infer, type InferBody, type InferReply, type Schema, schema } from './core/operations/schema/schema.ts';
export type { Security, SecurityScheme } from './core/operations/security.ts';
export { pipeline, unanswered } from './core/pipeline/pipeline.ts';
export { problems } from './core/pipeline/problems.ts';
export type { Pipeline, Stage } from './core/pipeline/stage.ts';
export type { ConstraintFactory, ConstraintPredicate, RouteConstraint } from './core/routing/constraints/constraint.ts';
export {
  type Link,
  type Route,
  type RouteDeclaration,
  type RouteHandler,
  type RouteInput,
  type RouteValues,
  route,
} from './core/routing/route.ts';
export type { ValuesOf } from './core/routing/template.ts';
export type { Limits } from './core/wire/connection/limits.ts';
export { type ListenerOptions, listener } from './core/wire/listener.ts';
