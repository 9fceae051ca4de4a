/** Derives the types of values from a schema. */
import type { definitionName, Scalars } from './schema.ts';

/** The type of the values: absent properties have their default or null, where they have one. */
export type Infer<S> = Value<S, 'model', unknown>;

/** The type of what a handler is given for a body: without the properties that are `readOnly`. */
export type InferBody<S> = Value<S, 'body', unknown>;

/** The type of what a handler may answer: without the properties that are `writeOnly`. */
export type InferReply<S> = Value<S, 'reply', unknown>;

/** The whole value, or the part of it that one side has. */
type Side = 'model' | 'body' | 'reply';

/** `Named` has the named schemas around this one, to which a `$ref` leads. */
type Value<S, Of extends Side, Named> = S extends { readonly 'x-nullable': true }
  ? Plain<S, Of, WithName<S, Named>> | null
  : Plain<S, Of, WithName<S, Named>>;

type WithName<S, Named> = S extends { readonly [definitionName]: infer Name extends string }
  ? Omit<Named, Name> & { readonly [One in Name]: S }
  : Named;

type Plain<S, Of extends Side, Named> = S extends { readonly const: infer Only }
  ? Only
  : S extends { readonly enum: readonly (infer One)[] }
    ? One
    : S extends { readonly type: infer Type }
      ? Type extends keyof Scalars
        ? Scalars[Type]
        : Type extends 'array'
          ? S extends { readonly items: infer Item }
            ? readonly Value<Item, Of, Named>[]
            : readonly unknown[]
          : ObjectValue<S, Of, Named>
      : S extends { readonly allOf: infer Parts extends readonly unknown[] }
        ? Joined<Parts, Of, Named>
        : S extends { readonly oneOf: readonly (infer One)[] }
          ? One extends unknown
            ? Value<One, Of, Named>
            : never
          : S extends { readonly $ref: infer Name extends keyof Named }
            ? Value<Named[Name], Of, Named>
            : unknown;

type Joined<Parts extends readonly unknown[], Of extends Side, Named> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? Value<First, Of, Named> & Joined<Rest, Of, Named>
  : unknown;

type ObjectValue<S, Of extends Side, Named> = S extends { readonly properties: infer Properties }
  ? S extends { readonly additionalProperties: infer More extends object }
    ? Members<Properties, RequiredOf<S>, Of, Named> & Map<Value<More, Of, Named> | MemberOf<Properties, Of, Named>>
    : Members<Properties, RequiredOf<S>, Of, Named>
  : S extends { readonly additionalProperties: infer More extends object }
    ? Map<Value<More, Of, Named>>
    : Map<unknown>;

type Map<Member> = { readonly [name: string]: Member };

/** The types of all properties, for a map that has named members too. */
type MemberOf<Properties, Of extends Side, Named> = {
  [Name in keyof Properties]: Value<Properties[Name], Of, Named> | undefined;
}[keyof Properties];

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** The names that this side has. */
type Visible<Properties, Of extends Side> = {
  [Name in keyof Properties]: Properties[Name] extends { readonly readOnly: true }
    ? Of extends 'body'
      ? never
      : Name
    : Properties[Name] extends { readonly writeOnly: true }
      ? Of extends 'reply'
        ? never
        : Name
      : Name;
}[keyof Properties];

/** The names of the properties that are always there: required, with a default, or nullable. */
type AlwaysPresent<Properties, Required> = {
  [Name in keyof Properties]: Name extends Required
    ? Name
    : Properties[Name] extends { readonly default: unknown } | { readonly 'x-nullable': true }
      ? Name
      : never;
}[keyof Properties];

type Members<Properties, Required, Of extends Side, Named> = {
  readonly [Name in Extract<Visible<Properties, Of>, AlwaysPresent<Properties, Required>>]: Value<
    Properties[Name],
    Of,
    Named
  >;
} & {
  readonly [Name in Exclude<Visible<Properties, Of>, AlwaysPresent<Properties, Required>>]?: Value<
    Properties[Name],
    Of,
    Named
  >;
};
