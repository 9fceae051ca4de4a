/** Refuses, when routes are made, a parameter or a header that is declared wrongly (D70). */
import { TOKEN } from '../../message/headers/content-type.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import { definitionName, type Schema } from '../schema/schema.ts';
import { canRepeat, type ParameterDeclaration, type SentPlace, schemaOf } from './parameter.ts';

const SCALARS: readonly unknown[] = ['string', 'boolean', 'integer', 'number'];
/** What OpenAPI describes in another place, and ignores as a header. */
const OTHERWISE_DESCRIBED = new Map([
  ['accept', 'the media types of the responses say it'],
  ['authorization', 'declare it as security'],
  ['content-type', 'the media type of the body says it'],
]);

/** Where it stands, or that it is a header of a response. */
type Place = SentPlace | 'response';

/** Throws a `TypeError` that names what is wrong and the remedy. `subject` names the parameter and its operation. */
export function assertParameter(name: string, parameter: ParameterDeclaration, place: Place, subject: string): void {
  if (typeof parameter !== 'object' || parameter === null)
    throw new TypeError(`Cannot use ${subject}: it is no declaration; give { type: 'string' } or another`);
  const schema = schemaOf(parameter);
  const fault = nameFault(name, place) ?? partFault(schema, 'it') ?? itemsFault(schema) ?? flagFault(parameter, place);
  if (fault !== undefined) throw new TypeError(`Cannot use ${subject}: ${fault}`);
  assertSchema(schema, subject);
}

function nameFault(name: string, place: Place): string | undefined {
  if (name === '') return 'it has no name; give one';
  if (place !== 'header' && place !== 'response') return undefined;
  if (!TOKEN.test(name)) return 'its name is no header name; use letters, digits and "-"';
  const folded = name.toLowerCase();
  const remedy = place === 'header' || folded === 'content-type' ? OTHERWISE_DESCRIBED.get(folded) : undefined;
  return remedy && `OpenAPI ignores a header of this name; ${remedy}`;
}

function partFault(schema: Schema, part: string): string | undefined {
  if (schema[definitionName] !== undefined) return `${part} is a named schema; write its keywords in place`;
  const members = ['x-nullable', 'readOnly', 'writeOnly'] as const;
  const surplus = members.find((keyword) => schema[keyword] !== undefined);
  return surplus && `${part} has the keyword "${surplus}", which a parameter does not have; leave it out`;
}

function itemsFault({ type, items }: Schema): string | undefined {
  const scalar = type === 'array' ? items : { type };
  if (!SCALARS.includes(scalar?.type))
    return "it is no scalar and no list of scalars; give { type: 'string' } or another";
  if (items?.default !== undefined) return 'its items have a default; give the list one';
  return items && partFault(items, 'its items');
}

function flagFault(parameter: ParameterDeclaration, place: Place): string | undefined {
  const { required, deprecated, collectionFormat, type } = parameter;
  for (const [name, flag] of [
    ['required', required],
    ['deprecated', deprecated],
  ] as const)
    if (flag !== undefined && typeof flag !== 'boolean')
      return `its "${name}" is ${JSON.stringify(flag)}; give true or false`;
  if (collectionFormat === undefined) return undefined;
  const formats = type !== 'array' ? [] : canRepeat(place) ? ['multi', 'csv', 'ssv', 'pipes'] : ['csv'];
  if (formats.includes(collectionFormat)) return undefined;
  const remedy = formats.length === 0 ? 'only a list has one' : `give one of ${formats.join(', ')}`;
  return `it has the collectionFormat "${collectionFormat}"; ${remedy}`;
}
