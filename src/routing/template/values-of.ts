/**
 * Computes the type of the route values from the text of a template.
 *
 * `{name}.{ext?}` gives `{ readonly name: string; readonly ext?: string }`, so a wrong name does not compile.
 */

/** The values that a handler of this template receives. An escaped brace can add a name but never removes one. */
export type ValuesOf<Template extends string> = string extends Template
  ? Readonly<Record<string, string>>
  : Values<ParameterTexts<Template>>;

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
