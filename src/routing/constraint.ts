/** What a constraint is: a yes or no about one value (§4.3 rule 7). */

/** Which way a value is going: out of a path, or into a link. */
export type Direction = 'match' | 'link';

/** Decides about one value; never changes it. `undefined` is a value that is absent: every constraint of our own refuses it. */
export interface RouteConstraint {
  /** As it is written, for reasons and errors. */
  readonly text: string;
  accepts(value: string | undefined, direction: Direction): boolean;
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
