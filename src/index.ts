/** Exports what an embedding program may use, sorted by file. Nothing inside `src/` imports it. */

export { application } from './core/application/application.ts';
export { PluginError } from './core/application/checks/plugin-error.ts';
export { mounted } from './core/application/mounted.ts';
export type { Plugin } from './core/application/plugin.ts';
export type { Application, ApplicationOptions, RunnableApplication } from './core/application/runnable-application.ts';
export { type ServeOptions, type Serving, serve } from './core/application/serve.ts';
export { type StageOrigin, stageLabel, stageSubject } from './core/application/stage-origin.ts';
export { jsonLine } from './core/log/log-line.ts';
export { InvalidReply, trustReply } from './core/message/check-reply.ts';
export { ClientGone } from './core/message/client-gone.ts';
export type { Context, Handler, Reply, ReplyBody } from './core/message/context.ts';
export { contextWith } from './core/message/context-with.ts';
export { matches, noneMatch, precondition } from './core/message/headers/conditional.ts';
export { entityTag, type Version } from './core/message/headers/entity-tag.ts';
export { API_POLICY } from './core/message/headers/security-headers.ts';
export type { PlainReply } from './core/message/plain-reply.ts';
export {
  type ErrorLog,
  HttpProblem,
  type Problem,
  type ProblemExtra,
  problemReply,
  type Violation,
} from './core/message/problem.ts';
export { redirect } from './core/message/redirect.ts';
export { empty, headerOf, json, type ReplyOptions, text, withHeaders } from './core/message/replies.ts';
export { type Slot, slot } from './core/message/slot.ts';
export { stream } from './core/message/stream.ts';
export type { Instrument } from './core/operations/instrument.ts';
export { csv } from './core/operations/media-types/csv.ts';
export {
  type Answer,
  type AnswerOf,
  answer,
  badRequest,
  created,
  insufficientStorage,
  noContent,
  notFound,
  ok,
  preconditionFailed,
  problem,
} from './core/operations/operation/answers.ts';
export {
  type AddedResponses,
  type Controller,
  controller,
  type RoutedOperation,
} from './core/operations/operation/controller.ts';
export { type AnyOperation, type Operation, operation } from './core/operations/operation/operation.ts';
export type { OperationInput } from './core/operations/operation/operation-input.ts';
export { type ProblemFormat, problemFormat } from './core/operations/operation/problem-format.ts';
export {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from './core/operations/operation/representation.ts';
export type {
  HeaderDeclaration,
  ResponseDeclaration,
  Responses,
  Writer,
} from './core/operations/operation/response.ts';
export type {
  ParameterDeclaration,
  Parameters,
  ParameterValues,
  PathParameters,
} from './core/operations/parameters/parameter.ts';
export { routesOf } from './core/operations/routes/operation-routes.ts';
export type { Infer, InferBody, InferReply } from './core/operations/schema/declaration/infer.ts';
export { type NamedSchema, type Schema, schema } from './core/operations/schema/declaration/schema.ts';
export type { PropertyNaming } from './core/operations/schema/property-naming.ts';
export { sentPointer } from './core/operations/schema/sent-pointer.ts';
export { serializer } from './core/operations/schema/serialize.ts';
export type { Authenticator, Credentials } from './core/operations/security/authenticator.ts';
export { type Security, type SecurityScheme, securityScheme } from './core/operations/security/security-scheme.ts';
export { pipeline } from './core/pipeline/pipeline.ts';
export { problems } from './core/pipeline/problems.ts';
export type { Pipeline, Stage } from './core/pipeline/stage.ts';
export { type Step, traced } from './core/pipeline/traced.ts';
export { unanswered } from './core/pipeline/unanswered.ts';
export type { ConstraintFactory, ConstraintPredicate, RouteConstraint } from './core/routing/constraints/constraint.ts';
export type { LinkTrial, RouteTrial } from './core/routing/explain-request.ts';
export type { LinkValues } from './core/routing/route/link-values.ts';
export {
  type Link,
  type Route,
  type RouteDeclaration,
  type RouteHandler,
  type RouteInput,
  type RouteMatch,
  type RouteValues,
  route,
} from './core/routing/route/route.ts';
export { RouteCollection, type RouteCollectionOptions } from './core/routing/route-collection.ts';
export { routing } from './core/routing/routing.ts';
export type { ShadowedRoute } from './core/routing/shadowed.ts';
export { TemplateError } from './core/routing/template/template-error.ts';
export type { ValuesOf } from './core/routing/template/values-of.ts';
export { LIMITS, type Limits } from './core/wire/connection/limits.ts';
export { contextFor, type RequestOptions } from './core/wire/context-for.ts';
export { type InjectedReply, type InjectedRequest, inject } from './core/wire/inject.ts';
export { listener } from './core/wire/listener.ts';
export type { ListenerOptions, RefusalHandler, Servable } from './core/wire/listener-options.ts';
export { type Forwarded, forwarded, type TrustedProxies, trustedProxies } from './core/wire/proxy/trusted-proxy.ts';
export { HttpService, type ServiceOptions } from './core/wire/service.ts';
export { type AccessLogOptions, accessLog } from './extensions/access-log/access-log.ts';
export { allowedMethods } from './extensions/allowed-methods/allowed-methods.ts';
export {
  apiKeys,
  authentication,
  bearerTokens,
  type Holder,
  type SecretAuthenticator,
  type Secrets,
} from './extensions/authentication/authentication.ts';
export { CollectionFull } from './extensions/collection/collection-full.ts';
export { removeItem, replaceItem } from './extensions/collection/conditional-change.ts';
export { missingItem, refusedChange, unlessFull } from './extensions/collection/refused-change.ts';
export { type CollectionLimits, RepresentedCollection } from './extensions/collection/represented-collection.ts';
export {
  changeResponses,
  createdHeaders,
  createResponses,
  exactItemEtag,
  itemEtag,
  listEtag,
  listResponses,
  readResponses,
  removeResponses,
} from './extensions/collection/responses.ts';
export type { Store } from './extensions/collection/store.ts';
export { type CorsOptions, cors } from './extensions/cors/cors.ts';
export { describeOpenApi, type OpenApiDocument } from './extensions/description/describe-openapi.ts';
export { describe, type SwaggerDocument } from './extensions/description/describe-swagger.ts';
export { type DescriptionPluginOptions, description } from './extensions/description/description.ts';
export type { DescriptionOptions } from './extensions/description/description-options.ts';
export type { OpenApiBody } from './extensions/description/request-body.ts';
export type { EventsStart } from './extensions/events/event-stream.ts';
export type { ServerSentEvent } from './extensions/events/event-text.ts';
export { events } from './extensions/events/events.ts';
export { file } from './extensions/files/file.ts';
export { fileResponses } from './extensions/files/file-responses.ts';
export { type StaticFilesOptions, staticFiles } from './extensions/files/static-files.ts';
export { staticSite } from './extensions/files/static-site.ts';
export { type HealthOptions, health } from './extensions/health/health.ts';
export { type Gauge, type MetricsOptions, metrics } from './extensions/metrics/metrics.ts';
export { type RateLimitOptions, rateLimit } from './extensions/rate-limit/rate-limit.ts';
export { RedisStore, type RedisStoreOptions } from './extensions/redis/redis-store.ts';
export { SqliteStore, type SqliteStoreOptions } from './extensions/sqlite/sqlite-store.ts';
export { type SwaggerPageOptions, swaggerPage } from './extensions/swagger-page/swagger-page.ts';
export { type TodoOptions, todo } from './extensions/todo/todo.ts';
export { type TodoItem, type TodoSchema, todoSchema } from './extensions/todo/todo-item.ts';
export { byteStream, bytes, form } from './extensions/uploads/upload.ts';
export { type Verification, verification } from './extensions/verification/verification.ts';
export { verifyProblem, verifyReply } from './extensions/verification/verify-reply.ts';
