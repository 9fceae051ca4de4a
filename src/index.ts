/** Exports what an embedding program may use, sorted by file. Nothing inside `src/` imports it. */

export { fileResponses } from './api/answers/file-responses.ts';
export { CollectionFull } from './api/collection/collection-full.ts';
export { removeItem, replaceItem } from './api/collection/conditional-change.ts';
export { missingItem, refusedChange, unlessFull } from './api/collection/refused-change.ts';
export { type CollectionLimits, RepresentedCollection } from './api/collection/represented-collection.ts';
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
} from './api/collection/responses.ts';
export type { Store } from './api/collection/store.ts';
export { describeOpenApi, type OpenApiDocument } from './api/description/describe-openapi.ts';
export { describe, type SwaggerDocument } from './api/description/describe-swagger.ts';
export type { DescriptionOptions } from './api/description/description-options.ts';
export type { OpenApiBody } from './api/description/request-body.ts';
export type { Instrument } from './api/instrument.ts';
export { csv } from './api/media-types/csv.ts';
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
} from './api/operation/answers.ts';
export { type AddedResponses, type Controller, controller, type RoutedOperation } from './api/operation/controller.ts';
export { type AnyOperation, type Operation, operation } from './api/operation/operation.ts';
export type { OperationInput } from './api/operation/operation-input.ts';
export { type ProblemFormat, problemFormat } from './api/operation/problem-format.ts';
export {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from './api/operation/representation.ts';
export type { HeaderDeclaration, ResponseDeclaration, Responses, Writer } from './api/operation/response.ts';
export { routesOf } from './api/operation-routes/operation-routes.ts';
export type { ParameterDeclaration, Parameters, ParameterValues, PathParameters } from './api/parameters/parameter.ts';
export type { Infer, InferBody, InferReply } from './api/schema/declaration/infer.ts';
export { type NamedSchema, type Schema, schema } from './api/schema/declaration/schema.ts';
export type { PropertyNaming } from './api/schema/property-naming.ts';
export { sentPointer } from './api/schema/sent-pointer.ts';
export { serializer } from './api/schema/serialize.ts';
export type { Authenticator, Credentials } from './api/security/authenticator.ts';
export { type Security, type SecurityScheme, securityScheme } from './api/security/security-scheme.ts';
export { byteStream, bytes, form } from './api/uploads/upload.ts';
export { verifyProblem, verifyReply } from './api/verify-reply.ts';
export { file } from './files/file.ts';
export { type StaticFilesOptions, staticFiles } from './files/static-files.ts';
export { application } from './host/application.ts';
export { PluginError } from './host/checks/plugin-error.ts';
export { mounted } from './host/mounted.ts';
export type { Plugin } from './host/plugin.ts';
export type { Application, ApplicationOptions, RunnableApplication } from './host/runnable-application.ts';
export { type ServeOptions, type Serving, serve } from './host/serve.ts';
export { type StageOrigin, stageLabel, stageSubject } from './host/stage-origin.ts';
export { LIMITS, type Limits } from './http/connection/limits.ts';
export { contextFor, type RequestOptions } from './http/context-for.ts';
export { matches, noneMatch, precondition } from './http/headers/conditional.ts';
export { entityTag, type Version } from './http/headers/entity-tag.ts';
export { API_POLICY } from './http/headers/security-headers.ts';
export { type InjectedReply, type InjectedRequest, inject } from './http/inject.ts';
export { listener } from './http/listener.ts';
export type { ListenerOptions, RefusalHandler, Servable } from './http/listener-options.ts';
export { InvalidReply, trustReply } from './http/message/check-reply.ts';
export { ClientGone } from './http/message/client-gone.ts';
export type { Context, Handler, Reply, ReplyBody } from './http/message/context.ts';
export { contextWith } from './http/message/context-with.ts';
export {
  type ErrorLog,
  HttpProblem,
  type Problem,
  type ProblemExtra,
  problemReply,
  type Violation,
} from './http/message/problem.ts';
export { empty, headerOf, json, type ReplyOptions, text, withHeaders } from './http/message/replies.ts';
export type { EventsStart } from './http/plain-replies/event-stream.ts';
export type { ServerSentEvent } from './http/plain-replies/event-text.ts';
export { events } from './http/plain-replies/events.ts';
export type { PlainReply } from './http/plain-replies/plain-reply.ts';
export { redirect } from './http/plain-replies/redirect.ts';
export { stream } from './http/plain-replies/stream.ts';
export { type Forwarded, forwarded, type TrustedProxies, trustedProxies } from './http/proxy/trusted-proxy.ts';
export { HttpService, type ServiceOptions } from './http/service.ts';
export { type Slot, slot } from './http/slot.ts';
export { jsonLine } from './log/log-line.ts';
export { pipeline } from './pipeline/pipeline.ts';
export { problems } from './pipeline/problems.ts';
export type { Pipeline, Stage } from './pipeline/stage.ts';
export { type Step, traced } from './pipeline/traced.ts';
export { unanswered } from './pipeline/unanswered.ts';
export { type AccessLogOptions, accessLog } from './plugins/access-log/access-log.ts';
export { allowedMethods } from './plugins/allowed-methods.ts';
export {
  apiKeys,
  authentication,
  bearerTokens,
  type Holder,
  type SecretAuthenticator,
  type Secrets,
} from './plugins/authentication.ts';
export { type CorsOptions, cors } from './plugins/cors.ts';
export { type DescriptionPluginOptions, description } from './plugins/description.ts';
export { type HealthOptions, health } from './plugins/health.ts';
export { type Gauge, type MetricsOptions, metrics } from './plugins/metrics/metrics.ts';
export { type RateLimitOptions, rateLimit } from './plugins/rate-limit.ts';
export { staticSite } from './plugins/static-site.ts';
export { type SwaggerPageOptions, swaggerPage } from './plugins/swagger-page/swagger-page.ts';
export { type Verification, verification } from './plugins/verification.ts';
export type { ConstraintFactory, ConstraintPredicate, RouteConstraint } from './routing/constraints/constraint.ts';
export type { LinkTrial, RouteTrial } from './routing/explain-request.ts';
export type { LinkValues } from './routing/route/link-values.ts';
export {
  type Link,
  type Route,
  type RouteDeclaration,
  type RouteHandler,
  type RouteInput,
  type RouteMatch,
  type RouteValues,
  route,
} from './routing/route/route.ts';
export { RouteCollection, type RouteCollectionOptions } from './routing/route-collection.ts';
export { routing } from './routing/routing.ts';
export type { ShadowedRoute } from './routing/shadowed.ts';
export { TemplateError } from './routing/template/template-error.ts';
export type { ValuesOf } from './routing/template/values-of.ts';
export { RedisStore, type RedisStoreOptions } from './stores/redis/redis-store.ts';
export { SqliteStore, type SqliteStoreOptions } from './stores/sqlite/sqlite-store.ts';
export { type TodoOptions, todo } from './todo/todo.ts';
export { type TodoItem, type TodoSchema, todoSchema } from './todo/todo-item.ts';
