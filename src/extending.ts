/**
 * The exports of `todo-item-service/extending`, for authors of plugins: composition, values that may be promises,
 * options, the log, declarations of operations, bodies in other formats, and the server of an application.
 */

export type { Instrument } from './core/application/application-options.ts';
export type { PluginParts } from './core/application/plugin.ts';
export { after } from './core/http/after.ts';
export { headerValues, isGetOrHead } from './core/http/context.ts';
export { logError } from './core/http/error-log.ts';
export { preferredCoding } from './core/http/headers/content-type.ts';
export { noteStream } from './core/http/held-streams.ts';
export type { ProblemExtra, Violation } from './core/http/problem.ts';
export { ClientGone } from './core/http/problem.ts';
export { makeReply } from './core/http/replies.ts';
export { InvalidReply } from './core/http/reply.ts';
export {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from './core/http/representation.ts';
export { streamedBody } from './core/http/request-body.ts';
export { matchedTemplate, probeSlot, setTrace, type TraceIds, traceOf } from './core/http/request-notes.ts';
export { logEntry, logInfo, logLine, logWarning } from './core/log/log-line.ts';
export { attempt, thrownMessage } from './core/log/thrown-value.ts';
export { assertOptions, quoted } from './core/options/assert-options.ts';
export { observed } from './core/pipeline/stage.ts';
export {
  type Composition,
  type IncompleteRoute,
  type Offer,
  type OfferedValue,
  offer,
} from './core/routing/composition.ts';
export { fallsThrough } from './core/server/mounted-listener.ts';
export { type SentReply, whenSent } from './core/server/request-context.ts';
export type { Refusal, RefusalHandler } from './core/server/served.ts';
export { HttpService } from './core/server/service.ts';
export { type Rows, type RowsWriter, rowsWriter, writtenRows } from './operations/media-types/row-writers.ts';
export { operationOf, type RoutedOperation } from './operations/operation/controller.ts';
export { type OwnBody, ownBody } from './operations/operation/own-body.ts';
export type { ProblemFormat } from './operations/operation/problems.ts';
export { authenticators } from './operations/operations.ts';
export { responsesOf } from './operations/routes/responses-of.ts';
export { bodyValidator } from './operations/schema/assert-schema.ts';
export { formatCheck, type NamedSchema, valueChecks } from './operations/schema/schema.ts';
export { serializer } from './operations/schema/serialize.ts';
export {
  type Authenticator,
  type Credentials,
  type SecurityScheme,
  securityScheme,
} from './operations/security.ts';
