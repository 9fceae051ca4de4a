/** Checks the declared responses and media types of an operation when the application is composed (D14, D72, D79). */
import { attempt } from '../../core/log/thrown-value.ts';
import { isJsonType } from '../../core/message/headers/content-type.ts';
import { quoted } from '../../core/options/assert-options.ts';
import { hint } from '../../core/options/did-you-mean.ts';
import { ANY, each, isRecord, type Kind, OBJECT, type Shape, shapeFault, TEXT } from '../../core/options/shape.ts';
import type { AnyOperation, ResponseDeclaration, Responses } from '../operation/operation.ts';
import { assertParameter } from '../parameters/parameter.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import { valueChecker } from '../schema/judge.ts';
import type { Schema } from '../schema/schema.ts';
import { joinedObject } from '../schema/schema.ts';
import type { RowsWriter } from './rows.ts';

const isMediaType = (text: unknown): boolean =>
  typeof text === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(text) && text === text.toLowerCase();

/** The members of a response that a plugin or a controller adds. Only an operation can declare a body or a Location. */
const SHARED_RESPONSE = { description: TEXT, headers: OBJECT };
const RESPONSE: Shape<ResponseDeclaration> = {
  ...SHARED_RESPONSE,
  ...each(ANY, 'schema', 'example', 'location'),
  mediaType: ['a media type such as application/pdf, in lower case', isMediaType],
};

const NOT_OF_HEADERS = ['default', 'required', 'deprecated', 'collectionFormat'];

/** Throws a `TypeError` with the operation, the status and the remedy if a response is invalid. */
export function assertResponses(operation: AnyOperation, id: string): void {
  const responses = Object.entries(operation.responses as Responses);
  if (responses.length === 0)
    throw new TypeError(`Cannot declare the operation "${id}": it has no responses; add one such as { 204: {} }`);
  for (const [status, response] of responses)
    assertResponse(status, response, `the ${status} of the operation "${id}"`);
  assertMediaTypes(operation, id);
}

/**
 * Checks the texts and headers of the responses that a controller or a plugin adds to operations. Throws a `TypeError`
 * with the `owner`, the status and the remedy.
 */
export function assertSharedResponses(responses: unknown, owner: string): void {
  if (!isRecord(responses) || 'then' in responses)
    throw new TypeError(
      `Cannot declare the responses of ${owner}: they are not an object; use one such as { 429: {} }`,
    );
  for (const [status, response] of Object.entries(responses))
    assertResponse(status, response as ResponseDeclaration, `the ${status} of ${owner}`, SHARED_RESPONSE);
}

function assertResponse(
  status: string,
  response: ResponseDeclaration,
  subject: string,
  shape: Readonly<Record<string, Kind>> = RESPONSE,
): void {
  const fault = !/^[2-5]\d\d$/.test(status)
    ? 'it is not a status; use a number from 200 to 599'
    : (shapeFault(response, shape) ?? contentFault(Number(status), response));
  if (fault !== undefined) throw new TypeError(`Cannot declare ${subject}: ${fault}`);
  const { schema, example, headers = {} } = response;
  for (const [name, header] of Object.entries(headers)) {
    const surplus = NOT_OF_HEADERS.find((keyword) => keyword in Object(header));
    if (surplus !== undefined)
      throw new TypeError(`Cannot use the header "${name}" of ${subject}: a response header has no "${surplus}"`);
    assertParameter(name, header, 'response', `the header "${name}" of ${subject}`);
  }
  if (schema === undefined) return;
  assertSchema(schema, subject);
  const [violation] = example === undefined ? [] : valueChecker(schema, 'camelCase')(example);
  if (violation !== undefined)
    throw new TypeError(`Cannot declare ${subject}: its example is wrong: "${violation.pointer}" ${violation.detail}`);
}

function contentFault(status: number, { schema, mediaType, example }: ResponseDeclaration): string | undefined {
  const has = schema !== undefined ? 'a schema' : mediaType !== undefined ? 'a mediaType' : undefined;
  if (has !== undefined && (status >= 300 || status === 204 || status === 205))
    return `it has ${has}, but ${status >= 400 ? 'an error is a problem' : 'this status has no body'}; leave it out`;
  if (schema !== undefined && mediaType !== undefined)
    return 'it has a schema and a mediaType; keep the schema if the library writes the body, else the mediaType';
  const isText = typeof example === 'string' && mediaType !== undefined;
  if (example !== undefined && schema === undefined && !isText)
    return 'it has an example, but no schema; only a text example with a mediaType needs no schema';
  if (isText && isJsonType(mediaType) && !isJson(example)) return 'its example is not JSON; use a text with JSON';
  return undefined;
}

/** Throws for media types that no writer can write. Without a custom writer, the library writes JSON (A.6). */
function assertMediaTypes({ produces, writers = {}, responses }: AnyOperation, id: string): void {
  const refuse = (fault: string): never => {
    throw new TypeError(`Cannot declare what the operation "${id}" produces: ${fault}`);
  };
  const hasSchema = Object.values(responses as Responses).some(({ schema }) => schema !== undefined);
  if (produces?.length === 0 && hasSchema) refuse('it lists no media type, but a success has a schema; leave it out');
  if (!hasSchema && Object.keys(writers).length > 0)
    refuse('it has writers, but no success has a schema; add a schema');
  for (const [mediaType, writer] of Object.entries(writers)) {
    if (!isMediaType(mediaType)) refuse(notAMediaType(mediaType));
    if (typeof writer !== 'function') refuse(`the writer of "${mediaType}" is not a function; use (value) => …`);
    if (produces !== undefined && !produces.includes(mediaType))
      refuse(`it has a writer of "${mediaType}", which produces does not list; add it there`);
    const fault = columnFault(writer as Partial<RowsWriter<unknown>>, responses);
    if (fault !== undefined) refuse(`the writer of "${mediaType}" has ${fault}`);
  }
  if (Object.hasOwn(writers, 'application/json'))
    refuse('it has a writer of "application/json", which the schema of the response writes; leave it out');
  const sentMediaTypes = new Set(Object.values(responses as Responses).map(({ mediaType }) => mediaType));
  for (const mediaType of (produces ?? []) as readonly string[]) {
    if (sentMediaTypes.has(mediaType) && !hasSchema)
      refuse(`it lists "${mediaType}", which is the mediaType of a response; leave produces out`);
    if (!isMediaType(mediaType)) refuse(notAMediaType(mediaType));
    if (mediaType !== 'text/plain' && !isJsonType(mediaType) && !Object.hasOwn(writers, mediaType))
      refuse(`"${mediaType}" is not JSON; give it a writer: writers: { '${mediaType}': (value) => … }`);
  }
}

const notAMediaType = (text: string): string =>
  `"${text}" is not a media type; use one such as text/csv, in lower case`;

/** Returns an error for the first column that is not a property of the rows. */
function columnFault({ columns = [] }: Partial<RowsWriter<unknown>>, responses: Responses): string | undefined {
  for (const [status, { schema }] of Object.entries(responses)) {
    const row = schema?.items;
    const column = columns.find((name) => row !== undefined && !canHave(row, name));
    if (column === undefined) continue;
    const meant = hint(column, Object.keys(joinedObject(row!)?.properties ?? {}));
    return `the column ${quoted(column)}, which no row of its ${status} has${meant}; use a property of the items`;
  }
  return undefined;
}

/** True if a reply's value can have the member. Also true for a `$ref` and for an object schema without properties. */
function canHave(schema: Schema, name: string): boolean {
  if (schema.oneOf !== undefined) return schema.oneOf.some((branch) => canHave(branch, name));
  const { properties, additionalProperties } = joinedObject(schema) ?? {};
  if (properties === undefined || additionalProperties) return true;
  return Object.hasOwn(properties, name) && properties[name]!.writeOnly !== true;
}

const isJson = (text: string): boolean => attempt(() => JSON.parse(text) !== undefined, false);
