/**
 * The exports of `todo-item-service`, sorted by file: the names that most programs with an embedded service use. A type
 * that only occurs inside another type is not exported (D80).
 */

export { application, type RunnableApplication } from './core/application/application.ts';
export type { ApplicationOptions } from './core/application/application-options.ts';
export { mounted } from './core/application/mounted.ts';
export { type Application, type Plugin, PluginError } from './core/application/plugin.ts';
export { type ServeOptions, type Serving, serve } from './core/application/serve.ts';
export { Context, type Handler } from './core/http/context.ts';
export { contextWith } from './core/http/context-with.ts';
export type { ErrorLog } from './core/http/error-log.ts';
export { HttpProblem, type Problem, problemReply } from './core/http/problem.ts';
export { empty, headerOf, json, redirect, replyWith, stream, text, withHeaders } from './core/http/replies.ts';
export type { Reply } from './core/http/reply.ts';
export { type Slot, slot } from './core/http/slot.ts';
export { unanswered } from './core/http/unanswered.ts';
export { pipeline } from './core/pipeline/pipeline.ts';
export { problems } from './core/pipeline/problems.ts';
export type { Pipeline, Stage } from './core/pipeline/stage.ts';
export { type Link, type Route, type RouteHandler, type RouteInput, route } from './core/routing/route.ts';
export type { Listener } from './core/server/answer-request.ts';
export type { ListenerOptions } from './core/server/served.ts';
export { listener } from './core/server/service.ts';
// TypeScript names a type in the declarations of a program only if it has read an entry that exports the type.
export type {} from './extending.ts';
export { type Controller, controller } from './operations/operation/controller.ts';
export type { AnyOperation, Operation, ResponseDeclaration, Responses } from './operations/operation/operation.ts';
export type { OperationInput } from './operations/operation/operation-input.ts';
export { badRequest, notFound, problem, problemFormat } from './operations/operation/problems.ts';
export { answer, created, noContent, ok, type Result } from './operations/operation/results.ts';
export { type OperationOptions, operations } from './operations/operations.ts';
export type { ParameterDeclaration, Parameters, ParameterValues } from './operations/parameters/parameter.ts';
export { operation, routesOf } from './operations/routes/operation-routes.ts';
export { answering } from './operations/routes/responses-of.ts';
export type { PropertyNaming } from './operations/schema/names.ts';
export { type Infer, type Schema, schema } from './operations/schema/schema.ts';
export type { Security } from './operations/security.ts';
