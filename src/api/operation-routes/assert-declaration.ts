/** Refuses, when routes are made, what an operation declares and the library does not speak (D68, D70). */
import type { RouteTemplate } from '../../routing/template/template.ts';
import type { RoutedOperation } from '../operation/controller.ts';
import type { AnyOperation } from '../operation/operation.ts';
import type { HeaderDeclaration, ResponseDeclaration, Responses } from '../operation/response.ts';
import { type ParameterDeclaration, type ParameterPlace, schemaOf } from '../parameters/parameter.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import { checkValue } from '../schema/check-value.ts';
import { definitionName, type Schema } from '../schema/declaration/schema.ts';

type Declared = Readonly<Record<string, string | ParameterDeclaration>>;

/** Throws a `TypeError` that names the operation, the place and the remedy. */
export function assertDeclaration({ operation, id }: RoutedOperation, template: RouteTemplate): void {
  const { body, responses, query = {}, headers = {}, parameters = {} } = operation;
  if (body !== undefined) assertSchema(body, `the body of the operation "${id}"`);
  for (const [status, response] of Object.entries(responses as Responses))
    assertResponse(response, `the ${status} of the operation "${id}"`);
  assertMediaTypes(operation, id);
  for (const [place, declared] of [
    ['path', parameters],
    ['query', query],
    ['header', headers],
  ] as const)
    for (const [name, parameter] of Object.entries(declared as Declared))
      if (typeof parameter !== 'string')
        assertParameter(parameter, place, `the ${place} parameter "${name}" of the operation "${id}"`);
  const known = template.parameters.map(({ name }) => name);
  const unknown = Object.keys(parameters).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new TypeError(
      `Cannot declare the path parameter "${unknown}" of the operation "${id}": its path has ${known.join(', ') || 'none'}`,
    );
}

function assertResponse({ schema, mediaType, example, headers = {} }: ResponseDeclaration, subject: string): void {
  if (schema !== undefined) assertSchema(schema, subject);
  for (const [name, header] of Object.entries(headers))
    assertParameter(header, 'header', `the header "${name}" of ${subject}`);
  const fault = bodyFault(schema, mediaType, example);
  if (fault !== undefined) throw new TypeError(`Cannot declare ${subject}: ${fault}`);
}

function bodyFault(schema: Schema | undefined, mediaType: string | undefined, example: unknown): string | undefined {
  if (schema !== undefined && mediaType !== undefined)
    return 'it has a schema and a mediaType; give the schema where the body is written, else the mediaType';
  if (mediaType !== undefined && !isMediaType(mediaType))
    return `its mediaType "${mediaType}" is none; give one such as application/pdf`;
  if (example === undefined) return undefined;
  if (schema === undefined)
    return typeof example === 'string' && mediaType !== undefined
      ? undefined
      : 'it has an example, but no schema; only a text with a mediaType has one without';
  const [violation] = checkValue(example, schema, 'camelCase');
  return violation && `it has an example, of which "${violation.pointer}" ${violation.detail}`;
}

/** A media type without a writer is written as JSON; so it has to be one of JSON, or of plain text (A.6). */
function assertMediaTypes({ produces = [], writers = {} }: AnyOperation, id: string): void {
  const refuse = (fault: string): never => {
    throw new TypeError(`Cannot declare what the operation "${id}" produces: ${fault}`);
  };
  for (const [mediaType, writer] of Object.entries(writers)) {
    if (!isMediaType(mediaType)) refuse(`"${mediaType}" is no media type; give one such as text/csv`);
    if (typeof writer !== 'function') refuse(`the writer of "${mediaType}" is no function; give (value) => …`);
    if (produces.length > 0 && !produces.includes(mediaType))
      refuse(`it has a writer of "${mediaType}", which produces does not list; add it there`);
  }
  for (const mediaType of produces)
    if (!isJsonOrPlain(mediaType) && !Object.hasOwn(writers, mediaType))
      refuse(`"${mediaType}" is not JSON; give it a writer: writers: { '${mediaType}': (value) => … }`);
}

const isMediaType = (text: string): boolean => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(text);
const isJsonOrPlain = (text: string): boolean =>
  /^(?:text\/plain|(?:application|text)\/json|[^/]+\/[^/]+\+json)$/.test(text);

function assertParameter(
  parameter: ParameterDeclaration | HeaderDeclaration,
  place: ParameterPlace,
  subject: string,
): void {
  const schema = schemaOf(parameter);
  assertSchema(schema, subject);
  const scalar = schema.type === 'array' ? schema.items : schema;
  const isScalar = scalar === undefined || ['string', 'boolean', 'integer', 'number'].includes(scalar.type ?? '');
  const { collectionFormat } = parameter as ParameterDeclaration;
  if (
    !isScalar ||
    schema[definitionName] !== undefined ||
    schema['x-nullable'] ||
    scalar?.[definitionName] !== undefined
  )
    throw new TypeError(
      `Cannot use ${subject}: it is no scalar and no list of scalars; give { type: 'string' } or another`,
    );
  const formats = schema.type !== 'array' ? [] : place === 'query' ? ['multi', 'csv', 'ssv', 'pipes'] : ['csv'];
  if (collectionFormat !== undefined && !formats.includes(collectionFormat))
    throw new TypeError(
      `Cannot use ${subject}: it has the collectionFormat "${collectionFormat}"; ${formats.length === 0 ? 'only a list has one' : `give one of ${formats.join(', ')}`}`,
    );
}
