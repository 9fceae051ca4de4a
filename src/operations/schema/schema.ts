/**
 * Defines a schema: a value from which types, validation and both descriptions are derived (D68).
 *
 * The keywords are those of JSON Schema 2020-12; `x-nullable` and `example` are those of Swagger 2.0. A schema has a
 * `type`, or it is one of `$ref`, `allOf` and `oneOf`. Its properties have the names of the code; `names.ts` decides
 * how they are spelled in JSON (D1).
 */
import type { Violation } from '../../core/message/reply.ts';

/** The values of each type that is neither a list nor an object. */
interface Scalars {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
}

/** A value that `enum` and `const` can name. */
export type Scalar = Scalars[keyof Scalars];

/** Every keyword of all forms, with the values that it can have. */
export interface Keywords {
  readonly type?: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number' | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  readonly example?: unknown;
  /** Allows null (D5). OpenAPI 3.1 writes `["string", "null"]` for it. */
  readonly 'x-nullable'?: boolean | undefined;
  /** Of a property: it is in replies only. What a body has under its name is ignored. */
  readonly readOnly?: boolean | undefined;
  /** Of a property: it is in bodies only. No reply has it. */
  readonly writeOnly?: boolean | undefined;
  readonly enum?: readonly Scalar[] | undefined;
  readonly const?: Scalar | undefined;
  readonly format?: string | undefined;
  /** In code points, as `maxLength`. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Is searched for anywhere in the text, with the flag `u`. */
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly items?: Schema | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: boolean | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  /** False refuses unknown members, a schema makes a map of them. Without it they are ignored (D3). */
  readonly additionalProperties?: false | Schema | undefined;
  /** Schemas of objects that are joined to one. No property is in two of them. */
  readonly allOf?: readonly Schema[] | undefined;
  /** A value has to match exactly one. */
  readonly oneOf?: readonly Schema[] | undefined;
  /** The property whose `const` or `enum` decides which schema of `oneOf` a value has to match. */
  readonly discriminator?: { readonly propertyName: string } | undefined;
  /** The name of a named schema around this one: `children: { type: 'array', items: { $ref: 'Node' } }`. */
  readonly $ref?: string | undefined;
  readonly [definitionName]?: string | undefined;
  readonly [formatCheck]?: FormatCheck | undefined;
  readonly [valueCheck]?: ValueCheck | undefined;
  readonly [staysAbsent]?: true | undefined;
}

/**
 * A schema: the keywords of one form. The compiler refuses the keywords of other forms. A member that is not a keyword
 * at all is refused when the application is composed.
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
export interface ObjectSchema extends FormOf<'object'> {
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

/** The keywords of a form. Those of other forms can only be undefined. */
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

/** The name of a format that has a check of its own. At run time it is a text. */
export type OwnFormatName = string & { readonly ownFormat: true };

/** What a name adds to a schema. */
export interface NamedSchema<Name extends string> {
  readonly [definitionName]: Name;
}

/**
 * The key of a schema's definition name. As a symbol it stays out of the description; a registered one is the same in
 * every copy of this library. To the compiler it is a text, which the declarations of a program can repeat for
 * `{ ...named }`: they could not name a symbol of another module.
 */
export const definitionName = Symbol.for('todo-item-service definition name') as unknown as '(definition name)';

/** The key of the check of a format that is not one of `Formats`. Registered symbols, as the name of a definition. */
export const formatCheck: unique symbol = Symbol.for('todo-item-service format check');
/** The key of the check of a whole value, which runs where the keywords have found nothing (D101). */
export const valueCheck: unique symbol = Symbol.for('todo-item-service value check');
/** The key of the mark of a property: where it is absent, it has neither a default nor null (D101). */
export const staysAbsent: unique symbol = Symbol.for('todo-item-service stays absent');

/** Returns whether a value of the type has the format. */
type FormatCheck = (value: any) => boolean;

/**
 * Is called with the value for the handler, and returns what is wrong with it. A `pointer` has the names of the code,
 * and begins at the value: `/end`; without one the value itself is wrong.
 */
export type ValueCheck = (value: any) => ValueFault | readonly ValueFault[] | undefined;

/** What is wrong with a value, or with a part of it. */
export type ValueFault = Pick<Violation, 'pointer' | 'detail'>;

/**
 * Returns a named copy of a schema. Throws a SyntaxError for a name with other characters than `A-Za-z0-9_.-`.
 *
 *     const task = schema('Task', { type: 'object', properties: { name: { type: 'string', maxLength: 80 } } });
 *     type Task = Infer<typeof task>;
 */
export function schema<const Name extends string, const S extends Schema>(name: Name, value: S): S & NamedSchema<Name> {
  if (!/^[A-Za-z0-9_.-]+$/.test(name))
    throw new SyntaxError(
      `Cannot name a schema "${name}": it is no definition name; use letters, digits, ".", "_" and "-" only`,
    );
  return { ...value, [definitionName]: name };
}

const ANNOTATIONS = ['title', 'description', 'default', 'example', 'x-nullable', 'readOnly', 'writeOnly'] as const;
const RANGE = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
const NUMBER = [...ANNOTATIONS, 'type', 'format', 'enum', 'const', ...RANGE] as const;

/** The keywords by the form: a `type`, or the keyword in its place. What is not listed is refused (D68). */
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

/** The formats by the type. `keyword-checks.ts` checks them. */
export interface Formats {
  readonly string: 'uuid' | 'date' | 'date-time' | 'email' | 'uri' | 'password';
  readonly integer: 'int32' | 'int64';
  readonly number: 'float' | 'double';
}

/** The named schemas around a value. */
export type NamedSchemas = ReadonlyMap<string, Schema>;

/** The schema of an object: that itself, the parts of an `allOf` joined, or undefined for any other schema. */
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

/** The schema and the parts of its `allOf`, as far as they have names: those to which a `$ref` below can lead. */
export function namedParts(schema: Schema): (readonly [name: string, part: Schema])[] {
  const name = schema[definitionName];
  const parts = (schema.allOf ?? []).flatMap(namedParts);
  return name === undefined ? parts : [[name, schema], ...parts];
}

/** The checks of the whole value: those of the parts of its `allOf`, then those of the schema itself. */
export const checksOf = ({ allOf = [], [valueCheck]: check }: Schema): readonly ValueCheck[] =>
  [...allOf.flatMap(checksOf), check].filter((one) => one !== undefined);

/** The schemas of `oneOf` by the value of the discriminator. A schema without such a property is left out. */
export function branchesOf({ oneOf = [], discriminator }: Schema): ReadonlyMap<Scalar, Schema> {
  const name = discriminator?.propertyName ?? '';
  return new Map(oneOf.flatMap((branch) => valuesOf(branch, name).map((value) => [value, branch] as const)));
}

/** The values that a property of an object can have; none where it has no `const` and no `enum`. */
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
  },
} as const;

/**
 * The schema of problem details (RFC 9457, D10), which every error reply follows. The RFC names the members, so they
 * keep their spelling under every `PropertyNaming`.
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

/** The type of the values: absent properties have their default or null, where they have one. */
export type Infer<S> = Value<S, 'model', unknown>;

/** The type of what a handler is given for a body: without the properties that are `readOnly`. */
export type InferBody<S> = Value<S, 'body', unknown>;

/** The type of what a handler may answer: without the properties that are `writeOnly`. */
export type InferReply<S> = Value<S, 'reply', unknown>;

/** The whole value, or the part of it that one side has, and the properties that the side has not. */
interface Hidden {
  readonly model: never;
  readonly body: { readonly readOnly: true };
  readonly reply: { readonly writeOnly: true };
}
type Side = keyof Hidden;

/** `Named` has the named schemas around this one, to which a `$ref` leads. */
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

/** Of a union of schemas. */
type Each<One, Of extends Side, Named> = One extends unknown ? Value<One, Of, Named> : never;

/** Where there are such names, one of them may be absent. */
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
        ? Map<Value<More, Of, Named> | Each<Properties[keyof Properties], Of, Named> | Absent<keyof Properties>>
        : unknown)
  : Map<S extends { readonly additionalProperties: infer More extends object } ? Value<More, Of, Named> : unknown>;

type Map<Member> = { readonly [name: string]: Member };

/** The names of the properties that are always there: required, with a default, or nullable. */
type Always<S, Properties> =
  | (S extends { readonly required: readonly (infer Name)[] } ? Name : never)
  | Exclude<
      NamesOf<Properties, { readonly default: {} | null } | { readonly 'x-nullable': true }>,
      NamesOf<Properties, { readonly [staysAbsent]: true }>
    >;

/** The names of the properties of a kind. */
type NamesOf<Properties, Kind> = {
  [Name in keyof Properties]: Properties[Name] extends Kind ? Name : never;
}[keyof Properties];

type Members<P, Always, Of extends Side, Named> = {
  readonly [Name in Extract<Exclude<keyof P, NamesOf<P, Hidden[Of]>>, Always>]: Value<P[Name], Of, Named>;
} & {
  readonly [Name in Exclude<keyof P, NamesOf<P, Hidden[Of]> | Always>]?: Value<P[Name], Of, Named>;
};
