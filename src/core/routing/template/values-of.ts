/**
 * Computes the type of the route values from the text of a template.
 *
 * `{name}.{ext?}` gives `{ readonly name: string; readonly ext?: string }`, so a wrong name does not compile.
 */

/** The values that a handler of this template receives. An escaped brace can add a name but never removes one. */
export type ValuesOf<Template extends string> = string extends Template
  ? Readonly<Record<string, string>>
  : Values<ParameterTexts<Template>>;

/**
 * The values as their constraints type them: `{id:int}` is a number, `{id:long}` and `{n:range(1,5)}` a bigint,
 * `{on:bool}` a boolean, any other a text.
 */
export type TypedValuesOf<Template extends string> = string extends Template
  ? Readonly<Record<string, TypedValue>>
  : TypedValues<ParameterTexts<Template>>;

/** A route value, as a constraint can type it. */
export type TypedValue = string | number | bigint | boolean;

/** The text between each pair of braces, as a union. */
type ParameterTexts<Text extends string> = Text extends `${string}{${infer Parameter}}${infer Rest}`
  ? Parameter | ParameterTexts<Rest>
  : never;
type Optional<Parameter extends string> = Parameter extends `${string}?` ? Parameter : never;
type Values<Parameter extends string> = {
  readonly [One in Exclude<Parameter, Optional<Parameter>> as NameOf<One>]: string;
} & { readonly [One in Optional<Parameter> as NameOf<One>]?: string };
type NameOf<Parameter extends string> = Parameter extends `*${infer Rest}`
  ? NameOf<Rest>
  : Before<Before<Before<Parameter, ':'>, '='>, '?'>;
type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}` ? Head : Text;
type TypedValues<Parameter extends string> = {
  readonly [One in Exclude<Parameter, Optional<Parameter>> as NameOf<One>]: TypeOf<ConstraintsOf<One>>;
} & { readonly [One in Optional<Parameter> as NameOf<One>]?: TypeOf<ConstraintsOf<One>> };
/** The names of the constraints of a parameter, as a union in lower case. */
type ConstraintsOf<Parameter extends string> = Parameter extends `${string}:${infer List}`
  ? NamesIn<Before<List, '='>>
  : never;
type NamesIn<List extends string> = List extends `${infer Head}(${infer Rest}`
  ? NamesIn<Head> | NamesIn<BehindArgument<Rest>>
  : List extends `${infer First}:${infer Rest}`
    ? Lowercase<First> | NamesIn<Rest>
    : Lowercase<Before<List, '?'>>;
/** A plain argument ends at the first `)`; an expression can have some of its own, so it ends at the last one. */
type BehindArgument<Text extends string> = Text extends `${infer Argument})${infer Rest}`
  ? Argument extends `${string}${'(' | '[' | '\\'}${string}`
    ? BehindLast<Rest>
    : Rest
  : '';
type BehindLast<Text extends string> = Text extends `${string})${infer Rest}` ? BehindLast<Rest> : Text;
type TypeOf<Names extends string> = [Extract<Names, 'int' | 'float' | 'double' | 'decimal'>] extends [never]
  ? [Extract<Names, 'long' | 'min' | 'max' | 'range'>] extends [never]
    ? [Extract<Names, 'bool'>] extends [never]
      ? string
      : boolean
    : bigint
  : number;
