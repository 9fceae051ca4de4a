/**
 * Declares parameters in the path, the query and the headers of a request (D70): the parameter object of Swagger 2.0,
 * with the keywords of a schema for a scalar or a list of scalars.
 */

import { TOKEN } from '../../core/message/headers/content-type.ts';
import { FLAG, isRecord, membersFault } from '../../core/options/shape.ts';
import type { TypedValuesOf } from '../../core/routing/template.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import {
  type ArraySchema,
  definitionName,
  type FlagSchema,
  type Infer,
  type IntegerSchema,
  type NumberSchema,
  type Schema,
  type TextSchema,
} from '../schema/schema.ts';

/** One parameter: a scalar, or a list of scalars. Its `description` is shown in both documents. */
export type ParameterDeclaration = ScalarParameter | ListParameter;

type ScalarParameter = ParameterOf<TextSchema | FlagSchema | IntegerSchema | NumberSchema> & {
  readonly collectionFormat?: undefined;
};

interface ListParameter extends Omit<ParameterOf<ArraySchema>, 'items'> {
  readonly items?: ItemOf<ScalarParameter> | undefined;
  /** How the list is written. Default: `multi`, `a=1&a=2`, in the query and in a form, else `csv`, `1,2`. */
  readonly collectionFormat?: 'multi' | 'csv' | 'ssv' | 'pipes' | undefined;
}

/** The keywords of a schema, and what only a parameter has. A parameter is a text, which is never null. */
type ParameterOf<S> = S extends unknown ? Omit<S, keyof ParameterMembers> & ParameterMembers : never;
interface ParameterMembers {
  /** The request is answered 400 without it. Parameters of the path are always there, unless they are optional. */
  readonly required?: boolean | undefined;
  readonly deprecated?: boolean | undefined;
  readonly 'x-nullable'?: undefined;
  readonly readOnly?: undefined;
  readonly writeOnly?: undefined;
  readonly [definitionName]?: undefined;
}
type ItemOf<P> = P & { readonly [Member in 'required' | 'deprecated' | 'default']?: undefined };

/** Parameters by name. */
export type Parameters = Readonly<Record<string, ParameterDeclaration>>;

/** A header of a response: a scalar, or a list that is written with commas. A handler gives its text. */
export type HeaderDeclaration = ItemOf<ParameterDeclaration> & {
  readonly collectionFormat?: undefined;
  readonly description: string;
  /** True where every reply of this status has the header: `required` in OpenAPI 3.1. Swagger 2.0 cannot say it. */
  readonly always?: boolean | undefined;
};

/** Where a parameter stands. */
export type ParameterPlace = 'path' | 'query' | 'header';

/** The same, or a form in the body (D74). */
export type SentPlace = ParameterPlace | 'formData';

/** The values that a handler is given. One that is neither required nor has a default may be absent. */
export type ParameterValues<Declared> = {
  readonly [Name in Always<Declared>]: Infer<Declared[Name]>;
} & { readonly [Name in Exclude<keyof Declared, Always<Declared>>]?: Infer<Declared[Name]> };

type Always<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends { readonly required: true } | { readonly default: {} | null }
    ? Name
    : never;
}[keyof Declared];

/** The texts that were sent, by declared name. */
export type SentTexts = ReadonlyMap<string, readonly string[]>;

/** The values of the declared parameters of each place. A place without a declaration is undefined. */
export interface ReadParameters {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  /** The declared parameters of the query, as they were sent. */
  readonly sentQuery: SentTexts;
}

/** What an operation declares of the parameters of its path: a text for the description, or a parameter. */
export type PathParameters = Readonly<Record<string, string | ParameterDeclaration>>;

/** Says no more than its text and an example, so that every value of the path fits and none is refused. */
export const isFreeText = (declared: string | ParameterDeclaration): boolean =>
  typeof declared === 'string' ||
  (declared.type === 'string' && Object.keys(declared).every((keyword) => FREE.includes(keyword)));
const FREE: readonly string[] = ['type', 'title', 'description', 'example', 'deprecated'];

/** The values of the path: by their declaration where there is one, else by their constraints. */
export type PathValues<Template extends string, Declared> = {
  readonly [Name in keyof TypedValuesOf<Template>]: Name extends keyof Declared
    ? Declared[Name] extends ParameterDeclaration
      ? Infer<Declared[Name]>
      : TypedValuesOf<Template>[Name]
    : TypedValuesOf<Template>[Name];
};

/** The schema of the value of a parameter or a header. The items of a list are texts unless it says otherwise. */
export function schemaOf(parameter: ParameterDeclaration & { readonly always?: boolean | undefined }): Schema {
  const { required: _, collectionFormat: __, deprecated: ___, always: ____, ...schema } = parameter;
  const { items = { type: 'string' } } = schema;
  return schema.type === 'array' ? ({ ...schema, items } as Schema) : schema;
}

/** How a list is written in this place. */
export const formatOf = ({ collectionFormat }: ParameterDeclaration, place: SentPlace): string =>
  collectionFormat ?? (canRepeat(place) ? 'multi' : 'csv');

/** Whether a name can be sent there more than once. */
export const canRepeat = (place: string): boolean => place === 'query' || place === 'formData';

const SCALARS: readonly unknown[] = ['string', 'boolean', 'integer', 'number'];
/** What OpenAPI describes in another place, and ignores as a header. */
const OTHERWISE_DESCRIBED = new Map([
  ['accept', 'the media types of the responses say it'],
  ['authorization', 'declare it as security'],
  ['content-type', 'the media type of the body says it'],
]);

/** Where it stands, or that it is a header of a response. */
type Place = SentPlace | 'response';

/**
 * Throws a `TypeError` that names what is wrong and the remedy. `subject` names the parameter and its operation.
 * `isSegment`: its text is a segment of the path.
 */
export function assertParameter(
  name: string,
  parameter: ParameterDeclaration,
  place: Place,
  subject: string,
  isSegment = false,
): void {
  if (!isRecord(parameter))
    throw new TypeError(`Cannot use ${subject}: it is no declaration; give { type: 'string' } or another`);
  const schema = schemaOf(parameter);
  const fault = nameFault(name, place) ?? partFault(schema, 'it') ?? itemsFault(schema) ?? flagFault(parameter, place);
  if (fault !== undefined) throw new TypeError(`Cannot use ${subject}: ${fault}`);
  assertSchema(schema, subject, isSegment);
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
  const { collectionFormat, type } = parameter;
  const fault = membersFault(parameter, { required: FLAG, deprecated: FLAG });
  if (fault !== undefined || collectionFormat === undefined) return fault;
  const formats = type !== 'array' ? [] : canRepeat(place) ? ['multi', 'csv', 'ssv', 'pipes'] : ['csv'];
  if (formats.includes(collectionFormat)) return undefined;
  const remedy = formats.length === 0 ? 'only a list has one' : `give one of ${formats.join(', ')}`;
  return `it has the collectionFormat "${collectionFormat}"; ${remedy}`;
}
