/**
 * A schema is a Swagger 2.0 schema object, as a value; types, validation and description all read that one value.
 *
 * `schema('TodoItem', {…})` gives it the name under which the description defines it (§2.1 rule 2). The names of its
 * properties are those of the code; how they are spelled on the wire is decided in `property-naming.ts` alone (D1).
 */

/** The part of Swagger 2.0's schema object that this service speaks. */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number';
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** null is a value too; 3.1 says it as `["string", "null"]` (D5). */
  readonly 'x-nullable'?: boolean;
  readonly [definitionName]?: string;
}

/**
 * Where a schema carries the name it is defined under; a symbol, so that it never shows in a document, and the same one in every
 * copy of this library.
 */
export const definitionName: unique symbol = Symbol.for('todo-item-service definition name');

/** Names a schema. Keep the object and use it wherever the schema is meant. */
export function schema<const S extends Schema>(name: string, value: S): S {
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    throw new SyntaxError(
      `Cannot name a schema "${name}": it is no definition name; use letters, digits, ".", "_" and "-" only`,
    );
  }
  return { ...value, [definitionName]: name };
}

/** The type of the values that a schema describes, as a handler sees them: absent properties have their default or null. */
export type Infer<S> = S extends { readonly 'x-nullable': true } ? Plain<S> | null : Plain<S>;

type Plain<S> = S extends { readonly type: 'string' }
  ? string
  : S extends { readonly type: 'boolean' }
    ? boolean
    : S extends { readonly type: 'integer' | 'number' }
      ? number
      : S extends { readonly type: 'array'; readonly items: infer Item }
        ? readonly Infer<Item>[]
        : S extends { readonly type: 'object'; readonly properties: infer Properties }
          ? Members<Properties, RequiredOf<S>>
          : S extends { readonly type: 'object' }
            ? Readonly<Record<string, unknown>>
            : unknown;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** Present whatever the client sends: required, with a default, or null when left out. */
type AlwaysThere<Properties, Required> = {
  [Name in keyof Properties]: Name extends Required
    ? Name
    : Properties[Name] extends { readonly default: unknown } | { readonly 'x-nullable': true }
      ? Name
      : never;
}[keyof Properties];

type Members<Properties, Required> = {
  readonly [Name in AlwaysThere<Properties, Required>]: Infer<Properties[Name]>;
} & { readonly [Name in Exclude<keyof Properties, AlwaysThere<Properties, Required>>]?: Infer<Properties[Name]> };
