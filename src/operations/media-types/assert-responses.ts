/** Checks the declared responses and media types of an operation when the application is composed (D14, D72, D79). */
import { isJsonType } from '../../core/http/headers/content-type.ts';
import { ANY, each, isRecord, type Kind, OBJECT, type Shape, shapeFault, TEXT } from '../../core/options/shape.ts';
import type { AnyOperation, ResponseDeclaration, Responses } from '../operation/operation.ts';
import { assertParameter } from '../parameters/parameter.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import { valueChecker } from '../schema/read-value.ts';

const isMediaType = (text: unknown): boolean =>
  typeof text === 'string' && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(text) && text === text.toLowerCase();

const isRange = (text: unknown): boolean =>
  isMediaType(typeof text === 'string' ? text.replace(/^\*\/\*$|\/\*$/, 'x/x') : text);

/** The members of a response that a stage adds. Only an operation can declare a body or a Location. */
const SHARED_RESPONSE = { description: TEXT, headers: OBJECT };
const RESPONSE: Shape<ResponseDeclaration> = {
  ...SHARED_RESPONSE,
  ...each(ANY, 'schema', 'example', 'location'),
  mediaType: ['a media type such as application/pdf, in lower case', isMediaType],
  mediaTypes: ['a list of media types or ranges', Array.isArray, ['image/png or image/*, in lower case', isRange]],
};

const NOT_OF_HEADERS = ['default', 'required', 'deprecated', 'collectionFormat'];

/** Throws a `TypeError` with the operation, the status and the remedy if a response is invalid. */
export function assertResponses(operation: AnyOperation, id: string): void {
  const responses = Object.entries(operation.responses as Responses);
  if (responses.length === 0)
    throw new TypeError(`Cannot declare the operation "${id}": it has no responses; add one such as { 204: {} }`);
  for (const [status, response] of responses)
    assertResponse(status, response, `the ${status} of the operation "${id}"`);
  const fault = mediaTypeFault(operation);
  if (fault !== undefined) throw new TypeError(`Cannot declare what the operation "${id}" produces: ${fault}`);
}

/**
 * Checks the texts and headers of the responses that a stage adds to operations. Throws a `TypeError` with the `owner`,
 * the status and the remedy.
 */
export function assertSharedResponses(responses: unknown, owner: string): void {
  if (!isRecord(responses) || 'then' in responses)
    throw new TypeError(
      `Cannot declare the responses of ${owner}: they are not an object; use one such as { 429: {} }`,
    );
  for (const [status, response] of Object.entries(responses))
    if (response !== undefined)
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
    : (shapeFault(response, shape) ?? declaredBodyFault(Number(status), response));
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
    throw new TypeError(`Cannot declare ${subject}: its example is wrong: "${violation.pointer}": ${violation.detail}`);
}

function declaredBodyFault(status: number, { schema, mediaType, mediaTypes }: ResponseDeclaration): string | undefined {
  if (mediaTypes?.length === 0) return 'it lists no media type; add one, or leave mediaTypes out';
  if (mediaType !== undefined && mediaTypes !== undefined) return 'it has a mediaType and mediaTypes; keep one of them';
  const isSent = mediaType !== undefined || mediaTypes !== undefined;
  const has = schema !== undefined ? 'a schema' : isSent ? 'a media type' : undefined;
  if (has !== undefined && (status >= 300 || status === 204 || status === 205))
    return `it has ${has}, but ${status >= 400 ? 'an error is a problem' : 'this status has no body'}; leave it out`;
  if (schema !== undefined && isSent)
    return 'it has a schema and a mediaType; keep the schema if the library writes the body, else the mediaType';
  return undefined;
}

/** Returns an error for media types that no writer can write. Without a custom writer, the library writes JSON (A.6). */
function mediaTypeFault({ produces, writers = {}, responses }: AnyOperation): string | undefined {
  const hasSchema = Object.values(responses as Responses).some(({ schema }) => schema !== undefined);
  if (produces?.length === 0 && hasSchema) return 'it lists no media type, but a success has a schema; leave it out';
  if (!hasSchema && Object.keys(writers).length > 0) return 'it has writers, but no success has a schema; add a schema';
  if (Object.hasOwn(writers, 'application/json'))
    return 'it has a writer of "application/json", which the schema of the response writes; leave it out';
  for (const [mediaType, writer] of Object.entries(writers)) {
    if (typeof writer !== 'function') return `the writer of "${mediaType}" is not a function; use (value) => …`;
    if (produces !== undefined && !produces.includes(mediaType))
      return `it has a writer of "${mediaType}", which produces does not list; add it there`;
  }
  for (const mediaType of (produces ?? Object.keys(writers)) as readonly string[]) {
    if (!isMediaType(mediaType)) return `"${mediaType}" is not a media type; use one such as text/csv, in lower case`;
    if (mediaType !== 'text/plain' && !isJsonType(mediaType) && !Object.hasOwn(writers, mediaType))
      return `"${mediaType}" is not JSON; give it a writer: writers: { '${mediaType}': (value) => … }`;
  }
  return undefined;
}
