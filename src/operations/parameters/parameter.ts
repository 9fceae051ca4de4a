/**
 * Declares parameters in the path, the query and the headers of a request (D70). A declaration has the form of a
 * Swagger 2.0 parameter: it has the schema keywords of a scalar or of a list of scalars.
 */
import { TOKEN } from '../../core/http/headers/content-type.ts';
import { nameRemedy } from '../../core/options/assert-options.ts';
import { FLAG, isRecord, membersFault } from '../../core/options/shape.ts';
import type { TypedValuesOf } from '../../core/routing/template.ts';
import { assertSchema, SCALARS } from '../schema/assert-schema.ts';
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
  /** The format of the list. Default: `multi` (`a=1&a=2`) in the query and in a form, `csv` (`1,2`) elsewhere. */
  readonly collectionFormat?: 'multi' | 'csv' | 'ssv' | 'pipes' | undefined;
}

/** The keywords of a schema, and the members of a parameter. A parameter is a text, so it cannot be null. */
type ParameterOf<S> = S extends unknown ? Omit<S, keyof ParameterMembers> & ParameterMembers : never;
interface ParameterMembers {
  /** If true, a request without the parameter is refused with 400. Path parameters are required unless optional. */
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

/**
 * A header of a response: a scalar, or a list that is separated by commas. The handler returns the header as a text.
 */
export type HeaderDeclaration = ItemOf<ParameterDeclaration> & {
  readonly collectionFormat?: undefined;
  readonly description: string;
  /** True if every reply with the status has the header. OpenAPI 3.1 shows this as `required`; Swagger 2.0 cannot. */
  readonly always?: boolean | undefined;
};

/** The part of the request that has the parameter. */
export type ParameterPlace = 'path' | 'query' | 'header';

/** A part of the request, including a form in the body (D74). */
export type SentPlace = ParameterPlace | 'formData';

/** The type of the values that a handler receives. A parameter may be absent unless it is required or has a default. */
export type ParameterValues<Declared> = {
  readonly [Name in Always<Declared>]: Infer<Declared[Name]>;
} & { readonly [Name in Exclude<keyof Declared, Always<Declared>>]?: Infer<Declared[Name]> };

type Always<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends { readonly required: true } | { readonly default: {} | null }
    ? Name
    : never;
}[keyof Declared];

/** The texts in the request by the declared name of the parameter. */
export type SentTexts = ReadonlyMap<string, readonly string[]>;

/** The values of the declared parameters. If none is declared for a part of the request, its member is undefined. */
export interface ReadParameters {
  readonly path: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  /** The texts of the declared query parameters. */
  readonly sentQuery: SentTexts;
}

/** The path parameters of an operation: a text for the description, or a declaration. */
export type PathParameters = Readonly<Record<string, string | ParameterDeclaration>>;

/** True if the declaration accepts every value in the path, because it has only texts and an example. */
export const isFreeText = (declared: string | ParameterDeclaration): boolean =>
  typeof declared === 'string' ||
  (declared.type === 'string' && Object.keys(declared).every((keyword) => FREE.includes(keyword)));
const FREE: readonly string[] = ['type', 'title', 'description', 'example', 'deprecated'];

/** The types of the path values. They come from the declaration if there is one, else from the constraints. */
export type PathValues<Template extends string, Declared> = {
  readonly [Name in keyof TypedValuesOf<Template>]: Name extends keyof Declared
    ? Declared[Name] extends ParameterDeclaration
      ? Infer<Declared[Name]>
      : TypedValuesOf<Template>[Name]
    : TypedValuesOf<Template>[Name];
};

/** Returns the schema of a parameter's or header's value. The items of a list are strings by default. */
export function schemaOf(parameter: ParameterDeclaration & { readonly always?: boolean | undefined }): Schema {
  const { required: _, collectionFormat: __, deprecated: ___, always: ____, ...schema } = parameter;
  const { items = { type: 'string' } } = schema;
  return schema.type === 'array' ? ({ ...schema, items } as Schema) : schema;
}

/** Returns the format of a list in this part of the request. */
export const formatOf = ({ collectionFormat }: ParameterDeclaration, place: SentPlace): string =>
  collectionFormat ?? (canRepeat(place) ? 'multi' : 'csv');

/** True if a client can repeat a name in this part of the request. */
export const canRepeat = (place: string): boolean => place === 'query' || place === 'formData';

/** The headers that OpenAPI ignores as parameters, because other members describe them. */
const OTHERWISE_DESCRIBED = new Map([
  ['accept', 'the media types of the responses describe it'],
  ['authorization', 'declare it as security'],
  ['content-type', 'the media type of the body describes it'],
]);

/** A part of the request, or a header of a response. */
type Place = SentPlace | 'response';

/**
 * Throws a `TypeError` with the cause and the remedy if the declaration is invalid. `subject` describes the parameter
 * and its operation.
 */
export function assertParameter(name: string, parameter: ParameterDeclaration, place: Place, subject: string): void {
  if (!isRecord(parameter))
    throw new TypeError(`Cannot use ${subject}: it is not a declaration; use one such as { type: 'string' }`);
  const schema = schemaOf(parameter);
  const fault = nameFault(name, place) ?? partFault(schema, 'it') ?? itemsFault(schema) ?? flagFault(parameter, place);
  if (fault !== undefined) throw new TypeError(`Cannot use ${subject}: ${fault}`);
  assertSchema(schema, subject);
}

function nameFault(name: string, place: Place): string | undefined {
  if (name === '') return 'it has no name; give one';
  if (place !== 'header' && place !== 'response') return undefined;
  if (!TOKEN.test(name)) return 'its name is not a header name; use letters, digits and "-"';
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
    return "it is neither a scalar nor a list of scalars; use a type such as { type: 'string' }";
  if (items?.default !== undefined) return 'its items have a default; move the default to the list';
  return items && partFault(items, 'its items');
}

function flagFault(parameter: ParameterDeclaration, place: Place): string | undefined {
  const { collectionFormat, type } = parameter;
  const fault = membersFault(parameter, { required: FLAG, deprecated: FLAG });
  if (fault !== undefined || collectionFormat === undefined) return fault;
  const formats = type !== 'array' ? [] : canRepeat(place) ? ['multi', 'csv', 'ssv', 'pipes'] : ['csv'];
  if (formats.includes(collectionFormat)) return undefined;
  const remedy = formats.length === 0 ? 'only a list can have it' : nameRemedy(String(collectionFormat), formats);
  return `it has the collectionFormat "${collectionFormat}"; ${remedy}`;
}
