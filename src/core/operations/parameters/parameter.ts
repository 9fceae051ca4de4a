/**
 * Declares parameters in the path, the query and the headers of a request (D70): the parameter object of Swagger 2.0,
 * with the keywords of a schema for a scalar or a list of scalars.
 */

import { TOKEN } from '../../message/headers/content-type.ts';
import type { TypedValuesOf } from '../../routing/template.ts';
import { assertSchema } from '../schema/assert-schema.ts';
import {
  definitionName,
  type FormOf,
  type Infer,
  type KeywordOf,
  type Scalars,
  type Schema,
  type SpokenMembers,
  type SpokenValues,
} from '../schema/schema.ts';

/** One parameter. Its `description` is shown in both documents. */
export interface ParameterDeclaration extends Omit<Schema, 'required' | 'items' | 'type'> {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly items?: Schema | undefined;
  /** The request is answered 400 without it. Parameters of the path are always there, unless they are optional. */
  readonly required?: boolean | undefined;
  /** How a list is written. Default: `multi`, `a=1&a=2`, in the query and in a form, else `csv`, `1,2`. */
  readonly collectionFormat?: 'multi' | 'csv' | 'ssv' | 'pipes' | undefined;
  readonly deprecated?: boolean | undefined;
}

/** Parameters by name. */
export type Parameters = Readonly<Record<string, ParameterDeclaration>>;

/** The same parameters, with `never` in place of each member that is not spoken in this place, as `Spoken` has it. */
export type SpokenParameters<Declared, Place extends SentPlace> = {
  readonly [Name in keyof Declared]: SpokenParameter<Declared[Name], Place>;
};

/** One of them. */
export type SpokenParameter<P, Place extends SentPlace> = SpokenText<
  P,
  ParameterDeclaration,
  TextKeyword<P> | 'required' | 'deprecated' | (P extends ListIn<P, Place> ? 'collectionFormat' : never)
>;

/** Only a list says how it is written; in the path and in headers it is written with commas. */
interface ListIn<P, Place extends SentPlace> {
  readonly type: 'array' extends FormOf<P> ? unknown : never;
  readonly collectionFormat?: Place extends 'query' | 'formData' ? string : 'csv';
}

/** The members of what is written as text: a parameter or a header, a scalar or a list of them. */
export type SpokenText<P, Declared, Names> = P extends object
  ? SpokenMembers<P, Declared, Names, Omit<SpokenValues<P>, 'required' | 'items'> & { items: SpokenItem<P> }>
  : P;

/** The keywords of a text: `readOnly` and `writeOnly` are of members of a body, and no text stands for null. */
export type TextKeyword<P> = Exclude<KeywordOf<FormOf<P>>, 'x-nullable' | 'readOnly' | 'writeOnly'>;

type SpokenItem<P> = P extends { readonly items?: infer Item }
  ? Schema extends Item
    ? unknown
    : SpokenMembers<
        Item,
        Schema,
        FormOf<Item> extends keyof Scalars ? Exclude<TextKeyword<Item>, 'default'> : never,
        SpokenValues<Item>
      >
  : never;

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
  return schema.type === 'array' && schema.items === undefined ? { ...schema, items: { type: 'string' } } : schema;
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
  if (typeof parameter !== 'object' || parameter === null)
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
  const { required, deprecated, collectionFormat, type } = parameter;
  for (const [name, flag] of Object.entries({ required, deprecated }))
    if (flag !== undefined && typeof flag !== 'boolean')
      return `its "${name}" is ${JSON.stringify(flag)}; give true or false`;
  if (collectionFormat === undefined) return undefined;
  const formats = type !== 'array' ? [] : canRepeat(place) ? ['multi', 'csv', 'ssv', 'pipes'] : ['csv'];
  if (formats.includes(collectionFormat)) return undefined;
  const remedy = formats.length === 0 ? 'only a list has one' : `give one of ${formats.join(', ')}`;
  return `it has the collectionFormat "${collectionFormat}"; ${remedy}`;
}
