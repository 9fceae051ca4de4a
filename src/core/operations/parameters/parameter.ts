/**
 * Declares parameters in the path, the query and the headers of a request (D70): the parameter object of Swagger 2.0,
 * with the keywords of a schema for a scalar or a list of scalars.
 */
import type { TypedValuesOf } from '../../routing/template.ts';
import type { Infer } from '../schema/infer.ts';
import type { FormOf, KeywordOf, Scalars, Schema, SpokenMembers, SpokenValues } from '../schema/schema.ts';

/** One parameter. Its `description` is shown in both documents. */
export interface ParameterDeclaration extends Omit<Schema, 'required' | 'items' | 'type'> {
  readonly type: 'string' | 'boolean' | 'integer' | 'number' | 'array';
  readonly items?: Schema;
  /** The request is answered 400 without it. Parameters of the path are always there, unless they are optional. */
  readonly required?: boolean;
  /** How a list is written. Default: `multi`, `a=1&a=2`, in the query and in a form, else `csv`, `1,2`. */
  readonly collectionFormat?: 'multi' | 'csv' | 'ssv' | 'pipes';
  readonly deprecated?: boolean;
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
  [Name in keyof Declared]: Declared[Name] extends { readonly required: true } | { readonly default: unknown }
    ? Name
    : never;
}[keyof Declared];

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
export function schemaOf(parameter: ParameterDeclaration & { readonly always?: boolean }): Schema {
  const { required: _, collectionFormat: __, deprecated: ___, always: ____, ...schema } = parameter;
  return schema.type === 'array' && schema.items === undefined ? { ...schema, items: { type: 'string' } } : schema;
}

/** How a list is written in this place. */
export const formatOf = ({ collectionFormat }: ParameterDeclaration, place: SentPlace): string =>
  collectionFormat ?? (canRepeat(place) ? 'multi' : 'csv');

/** Whether a name can be sent there more than once. */
export const canRepeat = (place: string): boolean => place === 'query' || place === 'formData';
