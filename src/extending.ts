/**
 * The exports of `todo-item-service/extending`, for authors of plugins: composition, values that may be promises,
 * options, the log, declarations of operations, bodies in other formats, and the server of an application.
 */

export type { Instrument } from './core/application/application-options.ts';
export { logEntry, logInfo, logLine, logWarning } from './core/log/log-line.ts';
export { attempt, thrownMessage } from './core/log/thrown-value.ts';
export { after } from './core/message/after.ts';
export { isGetOrHead } from './core/message/context.ts';
export { logError } from './core/message/error-log.ts';
export { preferredCoding } from './core/message/headers/content-type.ts';
export { noteStream } from './core/message/held-streams.ts';
export { ClientGone } from './core/message/problem.ts';
export { makeReply } from './core/message/replies.ts';
export type { Violation } from './core/message/reply.ts';
export { InvalidReply } from './core/message/reply-fault.ts';
export {
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from './core/message/representation.ts';
export { matchedTemplate, setTrace, type TraceIds, traceOf } from './core/message/request-notes.ts';
export { assertOptions, quoted } from './core/options/assert-options.ts';
export { observed } from './core/pipeline/stage.ts';
export {
  type Composition,
  type IncompleteRoute,
  type Offer,
  type OfferedValue,
  offer,
} from './core/routing/composition.ts';
export { streamedBody } from './core/wire/body/body-stream.ts';
export { type SentReply, whenSent } from './core/wire/connection/exchange.ts';
export { fallsThrough } from './core/wire/mounted-listener.ts';
export type { Refusal, RefusalHandler } from './core/wire/served.ts';
export { HttpService } from './core/wire/service.ts';
export { type Rows, type RowsWriter, rowsWriter, writtenRows } from './operations/media-types/row-writers.ts';
export { operationOf, type RoutedOperation } from './operations/operation/controller.ts';
export { type OwnBody, ownBody } from './operations/operation/own-body.ts';
export type { ProblemFormat } from './operations/operation/problems.ts';
export { authenticators } from './operations/operations.ts';
export { responsesOf } from './operations/routes/responses-of.ts';
export { bodyValidator } from './operations/schema/judge.ts';
export { formatCheck, type NamedSchema, valueChecks } from './operations/schema/schema.ts';
export { serializer } from './operations/schema/serialize.ts';
export {
  type Authenticator,
  type Credentials,
  type SecurityScheme,
  securityScheme,
} from './operations/security.ts';
