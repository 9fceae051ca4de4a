/** What a constraint is: a yes or no about one value (§4.3 rule 7). */

/** Which way a value is going: out of a path, or into a link. */
export type Direction = 'match' | 'link';

/** Decides about one value; never changes it. `undefined` is a value that is absent: every constraint of our own refuses it. */
export interface RouteConstraint {
  /** As it is written, for reasons and errors. */
  readonly text: string;
  /**
   * The longest value that `accepts` is asked about, where its time grows faster than the length (D37). A longer one is answered 414
   * on the way in, and makes no link. A constraint without a bound is asked about every value, however long.
   */
  readonly bound?: LengthBound;
  accepts(value: string | undefined, direction: Direction): boolean;
}

/** How long a value may be, and why. */
export interface LengthBound {
  /** In UTF-16 code units. */
  readonly maxLength: number;
  /** The cost of one value grows as `length^degree`. */
  readonly degree: number;
}

/** Why a value is too long for a constraint, or undefined. `name` is that of the parameter. */
export function excessOf(
  { text, bound }: RouteConstraint,
  name: string,
  value: string | undefined,
): string | undefined {
  if (bound === undefined || value === undefined || value.length <= bound.maxLength) return undefined;
  const { maxLength, degree } = bound;
  return `{${name}:${text}} takes at most ${maxLength} characters, because its cost grows as length^${degree}; there are ${value.length}`;
}

/** Makes constraints of one name. */
export interface ConstraintFactory {
  /**
   * How many arguments it takes, least and most. One that takes no more than one gets the text between the parentheses unsplit,
   * commas included; for any other it is split at commas and each piece trimmed.
   */
  readonly takes: readonly [least: number, most: number];
  /** Throws an `Error` that says what is wrong with the arguments. */
  make(...args: readonly string[]): RouteConstraint;
}
