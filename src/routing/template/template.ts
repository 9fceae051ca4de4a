/**
 * A route template taken apart, and its parameters as a type.
 *
 * `files/{filename}.{ext?}` has two segments: one literal, and one of three parts of which the last may be missing. The same
 * text tells the compiler that a handler of this route finds `filename` and perhaps `ext` (§4.3, template syntax).
 */
import type { TemplateError } from './template-error.ts';

/** Text that must be there, ignoring case. Braces are already unescaped. */
export interface Literal {
  readonly kind: 'literal';
  readonly text: string;
  /** A period that is left out together with the optional parameter after it (§4.3 rule 2). */
  readonly optionalSeparator: boolean;
}

/** A constraint as it is written in the template, `range(1,5)` for example. */
export interface InlineConstraint {
  readonly text: string;
  readonly offset: number;
}

/** A place for a value. */
export interface Parameter {
  readonly kind: 'parameter';
  readonly name: string;
  readonly catchAll: boolean;
  readonly optional: boolean;
  /** The value when the path has none; the empty text is one. */
  readonly default: string | undefined;
  readonly constraints: readonly InlineConstraint[];
  /** Where its name begins in the template. */
  readonly offset: number;
}

/** What stands between two slashes: one part, or several of which no two parameters touch. */
export type Segment = readonly (Literal | Parameter)[];

/** A template, parsed. One with a mistake is a template too: it is refused, with all others, when it is added. */
export interface RouteTemplate {
  readonly text: string;
  readonly segments: readonly Segment[];
  /** From left to right. */
  readonly parameters: readonly Parameter[];
  readonly mistake?: TemplateError;
}

/** What a handler finds in the values of a route with this template. Escaped braces can add a name, never lose one. */
export type ValuesOf<Template extends string> = string extends Template
  ? Readonly<Record<string, string>>
  : Shape<Insides<Template>>;

type Insides<Text extends string> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? Inside | Insides<Rest>
  : never;
type Optional<Inside extends string> = Inside extends `${string}?` ? Inside : never;
type Shape<Inside extends string> = { readonly [One in Exclude<Inside, Optional<Inside>> as Name<One>]: string } & {
  readonly [One in Optional<Inside> as Name<One>]?: string;
};
type Name<Inside extends string> = Inside extends `*${infer Rest}`
  ? Name<Rest>
  : Inside extends `${infer Rest}:${string}`
    ? Name<Rest>
    : Inside extends `${infer Rest}=${string}`
      ? Rest
      : Inside extends `${infer Rest}?`
        ? Rest
        : Inside;
