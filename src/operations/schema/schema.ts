/**
 * Defines schemas. The types, the validation and both descriptions are derived from a schema (D68).
 *
 * The keywords come from JSON Schema 2020-12; `x-nullable` and `example` come from Swagger 2.0. A schema has a `type`,
 * or one of `$ref`, `allOf` and `oneOf`. Its properties have the names of the code. `names.ts` decides the spelling in
 * JSON (D1).
 */
import type { Violation } from '../../core/http/problem.ts';
import { CLIENT_NAME } from './names.ts';

interface Scalars {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
}

export type Scalar = Scalars[keyof Scalars];

export interface Keywords {
  readonly type?: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number' | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly example?: unknown;
  /** Allows null (D5). OpenAPI 3.1 has `["string", "null"]` instead. */
  readonly 'x-nullable'?: boolean | undefined;
  /** The property is only in replies. In a body it is ignored. */
  readonly readOnly?: boolean | undefined;
  /** The property is only in bodies. Replies do not have it. */
  readonly writeOnly?: boolean | undefined;
  readonly enum?: readonly Scalar[] | undefined;
  readonly const?: Scalar | undefined;
  readonly format?: string | undefined;
  /** The least number of code points. `maxLength` counts code points, too. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** A regular expression with the flag `u` that must match somewhere in the text. */
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly items?: Schema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** Only for lists whose items are strings, numbers or booleans. */
  readonly uniqueItems?: boolean | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  /** `false` rejects unknown members. A schema describes them, as in a map. By default they are ignored (D3). */
  readonly additionalProperties?: false | Schema | undefined;
  /** Schemas of objects that are joined to one schema. A property may be in only one of them. */
  readonly allOf?: readonly Schema[] | undefined;
  /** Alternative schemas. A value that is read must match exactly one of them. */
  readonly oneOf?: readonly Schema[] | undefined;
  /** The property whose `const` or `enum` decides which schema of `oneOf` a value must match. */
  readonly discriminator?: { readonly propertyName: string } | undefined;
  /** The name of a named schema that contains this schema: `children: { type: 'array', items: { $ref: 'Node' } }`. */
  readonly $ref?: string | undefined;
  readonly [definitionName]?: string | undefined;
  readonly [formatCheck]?: FormatCheck | undefined;
  readonly [valueChecks]?: readonly ValueCheck[] | undefined;
  readonly [staysAbsent]?: true | undefined;
  readonly [nullIsAbsent]?: true | undefined;
}

/**
 * A schema: the keywords of one form, such as `type: 'string'` or `oneOf`. The compiler rejects the keywords of other
 * forms. `application(…)` throws if a member is not a keyword.
 */
export type Schema =
  | TextSchema
  | FlagSchema
  | IntegerSchema
  | NumberSchema
  | ArraySchema
  | ObjectSchema
  | JoinedSchema
  | ChoiceSchema
  | ReferenceSchema;

export interface TextSchema extends ScalarOf<'string', string> {
  readonly format?: Formats['string'] | OwnFormatName | undefined;
}
export interface FlagSchema extends ScalarOf<'boolean', boolean> {}
export interface IntegerSchema extends ScalarOf<'integer', number> {
  readonly format?: Formats['integer'] | OwnFormatName | undefined;
}
export interface NumberSchema extends ScalarOf<'number', number> {
  readonly format?: Formats['number'] | OwnFormatName | undefined;
}
export interface ArraySchema extends FormOf<'array'> {
  readonly type: 'array';
}
interface ObjectSchema extends FormOf<'object'> {
  readonly type: 'object';
}
interface JoinedSchema extends FormOf<'allOf'> {
  readonly allOf: readonly Schema[];
}
interface ChoiceSchema extends FormOf<'oneOf'> {
  readonly oneOf: readonly Schema[];
}
interface ReferenceSchema extends FormOf<'$ref'> {
  readonly $ref: string;
}

/** The keywords of a form. The keywords of other forms must be undefined. */
type FormOf<F extends Form> = Pick<Keywords, KeywordOf<F> | Mark> & {
  readonly [Other in Exclude<keyof Keywords, KeywordOf<F> | Mark>]?: undefined;
};
type Mark = Extract<keyof Keywords, symbol> | typeof definitionName;

type ScalarOf<Type extends keyof Scalars, Value> = Omit<FormOf<Type>, 'type' | ValueKeyword> & {
  readonly type: Type;
  readonly const?: Value | undefined;
  readonly enum?: readonly Value[] | undefined;
  readonly default?: Value | null | undefined;
  readonly example?: Value | null | undefined;
};
type ValueKeyword = 'const' | 'enum' | 'default' | 'example';

/** The name of a format with a custom check. At run time it is a string. */
export type OwnFormatName = string & { readonly ownFormat: true };

/** The member with the name, which `schema(…)` adds. */
export interface NamedSchema<Name extends string> {
  readonly [definitionName]: Name;
}

/**
 * The key of a schema's name. Because the key is a symbol, it does not appear in the description. A registered symbol
 * is equal in all copies of this library. For the compiler the key is a string, because TypeScript cannot write the
 * type of `{ ...named }` to a declaration file if a key is a symbol of another module.
 */
export const definitionName = Symbol.for('todo-item-service definition name') as unknown as '(definition name)';

/** The key of a custom format's check. The symbol is registered, so it is equal in all copies of this library. */
export const formatCheck: unique symbol = Symbol.for('todo-item-service format check');
/** The key of the checks of a whole value, which run if the keywords find no violation (D101). */
export const valueChecks: unique symbol = Symbol.for('todo-item-service value checks');
/** The key that marks a property that stays absent instead of becoming its default or null (D101). */
export const staysAbsent: unique symbol = Symbol.for('todo-item-service stays absent');
/** The key that marks a property for which null in a body means that it is absent. */
export const nullIsAbsent: unique symbol = Symbol.for('todo-item-service null is absent');

type FormatCheck = (value: any) => boolean | string;

/**
 * A custom check. Receives the value as the handler would get it, and returns its faults. The `pointer` of a fault
 * begins at the value and has the names of the code, such as `/end`. Without a `pointer` the fault concerns the whole
 * value.
 */
export type ValueCheck = (value: any) => ValueFault | readonly ValueFault[] | undefined;

/** A fault of a value, or of a part of it. The default keyword is `check`. */
export type ValueFault = Pick<Violation, 'pointer' | 'detail' | 'keyword' | 'limit'>;

/**
 * Returns a named copy of a schema. Throws a SyntaxError if the name does not begin with a letter, or has characters
 * other than `A-Za-z0-9_.-` (D129).
 *
 *     const task = schema('Task', { type: 'object', properties: { name: { type: 'string', maxLength: 80 } } });
 *     type Task = Infer<typeof task>;
 */
export function schema<const Name extends string, const S extends Schema>(name: Name, value: S): S & NamedSchema<Name> {
  if (!CLIENT_NAME.test(name))
    throw new SyntaxError(
      `Cannot name a schema "${name}": it is not a definition name; use a letter, then letters, digits, ".", "_" and "-" only`,
    );
  return { ...value, [definitionName]: name };
}

const ANNOTATIONS = ['title', 'description', 'default', 'example', 'x-nullable', 'readOnly', 'writeOnly'] as const;
const RANGE = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
const NUMBER = [...ANNOTATIONS, 'type', 'format', 'enum', 'const', ...RANGE] as const;

/** The keywords of each form: of each `type`, and of `$ref`, `allOf` and `oneOf`. Other keywords are rejected (D68). */
export const KEYWORDS = {
  string: [...ANNOTATIONS, 'type', 'format', 'enum', 'const', 'minLength', 'maxLength', 'pattern'],
  boolean: [...ANNOTATIONS, 'type', 'enum', 'const'],
  integer: NUMBER,
  number: NUMBER,
  array: [...ANNOTATIONS, 'type', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  object: [...ANNOTATIONS, 'type', 'properties', 'required', 'additionalProperties'],
  allOf: [...ANNOTATIONS, 'allOf'],
  oneOf: [...ANNOTATIONS, 'oneOf', 'discriminator'],
  $ref: [...ANNOTATIONS, '$ref'],
} as const;

export type Form = keyof typeof KEYWORDS;

type KeywordOf<F extends Form> = (typeof KEYWORDS)[F][number];

/** The formats of each type. `keyword-checks.ts` checks them. */
export interface Formats {
  readonly string: 'uuid' | 'date' | 'date-time' | 'email' | 'uri' | 'password';
  readonly integer: 'int32' | 'int64';
  readonly number: 'float' | 'double';
}

export type NamedSchemas = ReadonlyMap<string, Schema>;

/** Returns an object schema itself, or the parts of `allOf` joined to one schema. Else returns undefined. */
export function joinedObject(schema: Schema): Schema | undefined {
  const { type, allOf, 'x-nullable': isNullable, [definitionName]: name } = schema;
  if (type === 'object') return schema;
  if (allOf === undefined) return undefined;
  const parts = allOf.map(joinedObject);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part?.properties)),
    required: parts.flatMap((part) => part?.required ?? []),
    ...(isNullable && { 'x-nullable': isNullable }),
    ...(name !== undefined && { [definitionName]: name }),
  };
}

/** Returns the schema and the parts of its `allOf` that have names, so that a `$ref` inside can refer to them. */
export function namedParts(schema: Schema): (readonly [name: string, part: Schema])[] {
  const name = schema[definitionName];
  const parts = (schema.allOf ?? []).flatMap(namedParts);
  return name === undefined ? parts : [[name, schema], ...parts];
}

/** Returns the checks of the whole value: first those of the parts of `allOf`, then those of the schema. */
export const checksOf = ({ allOf = [], [valueChecks]: checks = [] }: Schema): readonly ValueCheck[] => [
  ...allOf.flatMap(checksOf),
  ...checks,
];

/** Returns the schemas of `oneOf` by the value of the discriminator. Skips a schema without that property. */
export function branchesOf({ oneOf = [], discriminator }: Schema): ReadonlyMap<Scalar, Schema> {
  const name = discriminator?.propertyName ?? '';
  return new Map(oneOf.flatMap((branch) => valuesOf(branch, name).map((value) => [value, branch] as const)));
}

/** Returns the values of a property's `const` or `enum`; an empty list without these keywords. */
export function valuesOf(schema: Schema, name: string): readonly Scalar[] {
  const { const: only, enum: values = [] } = joinedObject(schema)?.properties?.[name] ?? {};
  return only === undefined ? values : [only];
}

const text = { type: 'string' } as const;
const violation = {
  type: 'object',
  required: ['detail'],
  properties: {
    pointer: text,
    parameter: text,
    in: { type: 'string', enum: ['path', 'query', 'header', 'formData'] },
    detail: text,
    keyword: text,
  },
} as const;

/**
 * The schema of problem details (RFC 9457, D10), which every error reply follows. The RFC fixes the names of the
 * members, so every `PropertyNaming` keeps them.
 */
export const PROBLEM = schema('Problem', {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'requestId'],
  properties: {
    type: text,
    title: text,
    status: { type: 'integer', format: 'int32' },
    detail: text,
    instance: text,
    requestId: text,
    traceId: text,
    errors: { type: 'array', items: violation },
  },
});

/** The type of the values of a schema. Properties with a default and nullable properties are always present. */
export type Infer<S> = Value<S, 'model', unknown>;

/** The type of a body in a handler: without `readOnly` properties. An absent property is never undefined. */
export type InferBody<S> = Value<S, 'body', unknown>;

/** The type of a value in a reply: without `writeOnly` properties. */
export type InferReply<S> = Value<S, 'reply', unknown>;

/** The marks of the properties that each side does not have. `model` has all properties. */
interface Hidden {
  readonly model: never;
  readonly body: { readonly readOnly: true };
  readonly reply: { readonly writeOnly: true };
}
type Side = keyof Hidden;

/** The type of a schema's values. `Named` has the named schemas that contain the schema, for `$ref`. */
type Value<S, Of extends Side, Named> = Schema extends S ? unknown : Described<S, Of, Named>;

type Described<S, Of extends Side, Named> =
  | Plain<S, Of, S extends NamedSchema<infer Name> ? Omit<Named, Name> & { readonly [One in Name]: S } : Named>
  | (S extends { readonly 'x-nullable': true } ? null : never);

type Plain<S, Of extends Side, Named> = S extends { readonly const: infer Only }
  ? Only
  : S extends { readonly enum: readonly (infer One)[] }
    ? One
    : S extends { readonly type: infer Type }
      ? Type extends keyof Scalars
        ? Scalars[Type]
        : Type extends 'array'
          ? readonly (S extends { readonly items: infer Item } ? Value<Item, Of, Named> : unknown)[]
          : ObjectValue<S, Of, Named>
      : S extends { readonly allOf: infer Parts extends readonly unknown[] }
        ? Joined<Parts, Of, Named>
        : S extends { readonly oneOf: readonly (infer One)[] }
          ? Each<One, Of, Named>
          : S extends { readonly $ref: infer Name extends keyof Named }
            ? Value<Named[Name], Of, Named>
            : unknown;

/**
 * The values of each schema of a union. Asks for `Schema` first: the compiler looks at any schema while it infers the type
 * of a handler that has a default, such as `({ body: { tags = [] } })`, and would not come to an end.
 */
type Each<One, Of extends Side, Named> = Schema extends One
  ? unknown
  : One extends unknown
    ? Value<One, Of, Named>
    : never;

/** `undefined` if there are names, because a property with one of these names may be absent. */
type Absent<Names> = [Names] extends [never] ? never : undefined;

type Joined<Parts extends readonly unknown[], Of extends Side, Named> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? Value<First, Of, Named> & Joined<Rest, Of, Named>
  : unknown;

type ObjectValue<S, Of extends Side, Named> = S extends { readonly properties: infer Properties }
  ? Members<Properties, Always<S, Properties>, Of, Named> &
      (S extends { readonly additionalProperties: infer More extends object }
        ? Map<
            | Value<More, Of, Named>
            | Each<Properties[keyof Properties], Of, Named>
            | Absent<keyof Properties>
            | Unset<Of>
          >
        : unknown)
  : Map<
      S extends { readonly additionalProperties: infer More extends object }
        ? Value<More, Of, Named> | Unset<Of>
        : unknown
    >;

type Map<Member> = { readonly [name: string]: Member };

/** The names of the properties that are always present: required, with a default, or nullable. */
type Always<S, Properties> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | Exclude<
      NamesOf<Properties, { readonly default: {} | null } | { readonly 'x-nullable': true }>,
      NamesOf<Properties, { readonly [staysAbsent]: true }>
    >;

type NamesOf<Properties, Kind> = {
  [Name in keyof Properties]: Properties[Name] extends Kind ? Name : never;
}[keyof Properties];

type Members<P, Always, Of extends Side, Named> = {
  readonly [Name in Extract<Exclude<keyof P, NamesOf<P, Hidden[Of]>>, Always>]: Value<P[Name], Of, Named>;
} & {
  readonly [Name in Exclude<keyof P, NamesOf<P, Hidden[Of]> | Always>]?: Value<P[Name], Of, Named> | Unset<Of>;
};

/** `undefined` for a value that is written, because its undefined members are left out. */
type Unset<Of extends Side> = Of extends 'body' ? never : undefined;

/** Returns the schema of a property for which null in a body means that it is absent: the key of an item (D3). */
export const absentIfNull = <const S extends Schema>(schema: S): S => ({ ...schema, [nullIsAbsent]: true });
