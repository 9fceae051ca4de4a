/** Declares the type of a constraint, which accepts or rejects one value (§4.3 rule 7). */

/** Whether a value is read from a path or written into a link. */
type Direction = 'match' | 'link';

/** Accepts or rejects one value, and never changes it. Built-in constraints reject `undefined`, a missing value. */
export interface RouteConstraint {
  /** The constraint as it is declared, for messages. */
  readonly text: string;
  accepts(value: string | undefined, direction: Direction): boolean;
}

/** A constraint without arguments: returns true for a valid value. It is not called for a missing value. */
export type ConstraintPredicate = (value: string) => boolean;

export const predicateConstraint = (text: string, predicate: ConstraintPredicate): RouteConstraint => ({
  text,
  accepts: (value) => value !== undefined && predicate(value),
});

/** Returns why the constraints of the parameter `name` reject a value; undefined if they accept it. */
export function rejectionOf(
  name: string,
  constraints: readonly RouteConstraint[],
  value: string | undefined,
  direction: Direction,
): string | undefined {
  const rejecting = constraints.find((constraint) => !constraint.accepts(value, direction));
  return (
    rejecting &&
    `{${name}:${rejecting.text}} rejects ${value === undefined ? 'a missing value' : JSON.stringify(value)}`
  );
}

/** Creates the constraints of one name, such as `range`. */
export interface ConstraintFactory {
  /**
   * The number of arguments. If the maximum is 1, the text between the parentheses is one argument, commas included.
   * Otherwise the text is split at commas, and each argument is trimmed.
   */
  readonly takes: readonly [min: number, max: number];
  /** Throws an `Error` that describes a mistake in the arguments. */
  make(...args: readonly string[]): RouteConstraint;
}

/**
 * Returns the constraint of a regular expression: the whole value must match, ignoring case (D22). A source text gets
 * the flags `iu` if it compiles with them, otherwise `i`. A `RegExp` keeps its flags except `g` and `y`. Throws a
 * `SyntaxError` for an expression that does not compile.
 */
export function expression(
  regex: string | RegExp,
  text = typeof regex === 'string' ? `regex(${regex})` : String(regex),
): RouteConstraint {
  const isSource = typeof regex === 'string';
  const [source, flags] = isSource ? [regex, flagsOf(regex)] : [regex.source, regex.flags.replace(/[gy]/g, '')];
  // With the flag `m`, `^` and `$` match at every line, so lookarounds mark the ends of the value instead.
  const whole = flags.includes('m') ? `(?<![^])(?:${source})(?![^])` : `^(?:${source})$`;
  const pattern = new RegExp(whole, flags);
  return predicateConstraint(text, (value) => pattern.test(value));
}

// Compiles the source without the group that `expression` puts around it: inside the group, `a)(b` would compile.
function flagsOf(source: string): string {
  try {
    new RegExp(source, 'iu');
    return 'iu';
  } catch {
    new RegExp(source, 'i');
    return 'i';
  }
}
