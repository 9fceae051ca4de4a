/**
 * Declares the parsed form of a route template (§4.3, template syntax), and the values that its text promises.
 *
 * `files/{filename}.{ext?}` has two segments: one literal, and one of three parts, of which the last may be absent.
 */

/** Text that a path must have, ignoring case. Braces are unescaped. */
export interface Literal {
  readonly kind: 'literal';
  readonly text: string;
  /** True for the period before an optional parameter, which is omitted together with the value (§4.3 rule 2). */
  readonly optionalSeparator: boolean;
}

/** A constraint as the template spells it, for example `range(1,5)`. */
export interface InlineConstraint {
  readonly text: string;
  readonly offset: number;
}

/** A named part that captures a value. */
export interface Parameter {
  readonly kind: 'parameter';
  readonly name: string;
  readonly catchAll: boolean;
  readonly optional: boolean;
  /** The value when the path has none; it may be empty. */
  readonly default: string | undefined;
  readonly constraints: readonly InlineConstraint[];
  /** Where the name begins in the template, in UTF-16 units. */
  readonly offset: number;
}

/** The part or parts between two slashes. Two parameters are never adjacent. */
export type Segment = readonly (Literal | Parameter)[];

/** A parsed template. One with a `mistake` has no segments, and `RouteCollection.add` refuses it. */
export interface RouteTemplate {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly parameters: readonly Parameter[];
  readonly mistake?: TemplateError;
}

/**
 * One mistake in one route: the cause, the remedy, and the template with a caret below the place.
 * `RouteCollection.add` throws all mistakes of its routes together.
 */
export class TemplateError extends SyntaxError {
  readonly template: string;
  /** Where the mistake is in the template, in UTF-16 units from 0. */
  readonly offset: number;
  readonly problem: string;
  readonly remedy: string;

  constructor(template: string, offset: number, problem: string, remedy: string, options?: ErrorOptions) {
    const line = template.replaceAll(/[\r\n\t]/g, ' ');
    super(`Cannot add route "${template}": ${problem}; ${remedy}\n  ${line}\n  ${' '.repeat(offset)}^`, options);
    this.name = 'TemplateError';
    this.template = template;
    this.offset = offset;
    this.problem = problem;
    this.remedy = remedy;
  }
}

export function fail(template: string, offset: number, problem: string, remedy: string): never {
  throw new TemplateError(template, offset, problem, remedy);
}

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
