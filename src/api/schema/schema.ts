/**
 * Defines a schema: a Swagger 2.0 schema object as a value, from which types, validation and description are derived.
 *
 * `schema('TodoItem', {…})` gives it the name of its definition in the description (§2.1 rule 2). Its properties have
 * the names of the code; `property-naming.ts` decides how they are spelled in JSON (D1).
 */

/** The supported part of Swagger 2.0's schema object. */
export interface Schema {
  readonly type: 'object' | 'array' | 'string' | 'boolean' | 'integer' | 'number';
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Allows null (D5). OpenAPI 3.1 writes `["string", "null"]` for it. */
  readonly 'x-nullable'?: boolean;
  readonly [definitionName]?: string;
}

/**
 * The key of a schema's definition name. As a symbol it stays out of the description; a registered one is the same in
 * every copy of this library.
 */
export const definitionName: unique symbol = Symbol.for('todo-item-service definition name');

/** Returns a named copy of a schema. Throws a SyntaxError for a name with other characters than `A-Za-z0-9_.-`. */
export function schema<const S extends Schema>(name: string, value: S): S {
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    throw new SyntaxError(
      `Cannot name a schema "${name}": it is no definition name; use letters, digits, ".", "_" and "-" only`,
    );
  }
  return { ...value, [definitionName]: name };
}

/** The type of the values that a handler is given: absent properties have their default or null. */
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

/** The names of the properties that a handler always finds: required, with a default, or nullable. */
type AlwaysPresent<Properties, Required> = {
  [Name in keyof Properties]: Name extends Required
    ? Name
    : Properties[Name] extends { readonly default: unknown } | { readonly 'x-nullable': true }
      ? Name
      : never;
}[keyof Properties];

type Members<Properties, Required> = {
  readonly [Name in AlwaysPresent<Properties, Required>]: Infer<Properties[Name]>;
} & { readonly [Name in Exclude<keyof Properties, AlwaysPresent<Properties, Required>>]?: Infer<Properties[Name]> };
