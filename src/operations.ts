/**
 * Declarations, for who reads or extends them: `todo-item-service/operations`. Describes, verifies, reads other bodies.
 */

export {
  isRepresentation,
  isStreamed,
  type Representation,
  representation,
  type StreamedRepresentation,
  streamedRepresentation,
} from './core/message/representation.ts';
export { unknownMember } from './core/operations/media-types/assert-responses.ts';
export { producedMediaTypes, writtenMediaTypes } from './core/operations/media-types/body-writers.ts';
export { csv, ndjson } from './core/operations/media-types/list-formats.ts';
export { announcesBody, refusedMediaType } from './core/operations/media-types/refused-media-type.ts';
export {
  type Rows,
  type RowsWriter,
  type RowWriter,
  rowsWriter,
  writtenRows,
} from './core/operations/media-types/written-rows.ts';
export { answer, type ReplyOf } from './core/operations/operation/answers.ts';
export { operationOf, type RoutedOperation } from './core/operations/operation/controller.ts';
export type { HeaderDeclaration, ResponseHeaders, Writer } from './core/operations/operation/operation.ts';
export { operationId, pathShape, refuseDuplicates } from './core/operations/operation/operation-id.ts';
export { type BodyHandling, isOwnBody, type OwnBody, ownBody } from './core/operations/operation/own-body.ts';
export {
  formatsOf,
  type ProblemFormat,
  type ProblemFormats,
  problemFormat,
  rfc9457,
} from './core/operations/operation/problem-format.ts';
export {
  assertParameter,
  canRepeat,
  formatOf,
  type ParameterPlace,
  type ParameterValues,
  type PathParameters,
  type SentPlace,
  type SpokenParameter,
  schemaOf,
} from './core/operations/parameters/parameter.ts';
export { narrowed, pathSchema } from './core/operations/parameters/path-parameter.ts';
export { groupedBy, placeReader } from './core/operations/parameters/read-values.ts';
export { assertBody } from './core/operations/routes/assert-declaration.ts';
export { bodyReader, isJson } from './core/operations/routes/json-body.ts';
export { type OperationSettings, routesOf } from './core/operations/routes/operation-routes.ts';
export { responsesOf } from './core/operations/routes/responses-of.ts';
export { bodyValidator, checkValue } from './core/operations/schema/judge.ts';
export { type PropertyNaming, sentPointer, wireName } from './core/operations/schema/names.ts';
export {
  definitionName,
  type FormatCheck,
  formatCheck,
  type NamedSchema,
  PROBLEM,
  type Spoken,
  type SpokenMembers,
  staysAbsent,
  type ValueCheck,
  type ValueFault,
  valueCheck,
} from './core/operations/schema/schema.ts';
export { deserializer, rowSerializer, serializer, spelled } from './core/operations/schema/serialize.ts';
export { branchesOf, joinedObject, namedParts } from './core/operations/schema/walk.ts';
export {
  type Authenticator,
  areRoles,
  asPromise,
  type Credentials,
  requirementsOf,
  securityScheme,
} from './core/operations/security.ts';
