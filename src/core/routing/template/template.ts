/**
 * Declares the parsed form of a route template (§4.3, template syntax).
 *
 * `files/{filename}.{ext?}` has two segments: one literal, and one of three parts, of which the last may be absent.
 */
import type { TemplateError } from './template-error.ts';

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
