/** Declares what a constraint is: it accepts or refuses one value (§4.3 rule 7). */
import { MAX_SEGMENT } from '../../wire/connection/limits.ts';
import { degreeOf } from './expression-cost.ts';

/** Whether a value comes out of a path or goes into a link. */
type Direction = 'match' | 'link';

/** Decides about one value and never changes it. Built-in constraints refuse `undefined`, an absent value. */
export interface RouteConstraint {
  /** The constraint as it is written, for reasons and errors. */
  readonly text: string;
  accepts(value: string | undefined, direction: Direction): boolean;
}

/** A constraint without arguments, written as a function. It is not called for an absent value, which is refused. */
export type ConstraintPredicate = (value: string) => boolean;

/** The constraint that accepts what a predicate does. */
export class PredicateConstraint implements RouteConstraint {
  readonly text: string;
  readonly predicate: ConstraintPredicate;
  /** Depends on the value alone, so it may be asked without a request; the constraints of this library do. */
  readonly isPure: boolean;

  constructor(text: string, predicate: ConstraintPredicate, isPure = false) {
    this.text = text;
    this.predicate = predicate;
    this.isPure = isPure;
  }

  accepts(value: string | undefined): boolean {
    return value !== undefined && this.predicate(value);
  }
}

/** Why the constraints of the parameter `name` reject a value, or undefined. */
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

/** Makes the constraints of one name. */
export interface ConstraintFactory {
  /**
   * The number of arguments. Where the maximum is 1, the text between the parentheses is one argument, commas included.
   * Otherwise it is split at commas and each piece is trimmed.
   */
  readonly takes: readonly [min: number, max: number];
  /** Throws an `Error` that says what is wrong with the arguments. */
  make(...args: readonly string[]): RouteConstraint;
}

/**
 * The constraint of a `RegExp` or of the source of one: the whole value has to match, ignoring case (D22). A source
 * has the flags `iu` where it compiles with them, otherwise `i`. A `RegExp` keeps its own flags except `g` and `y`.
 * Throws a `SyntaxError` for an expression that does not compile, or whose time can grow faster than the square of the
 * length (D31, D37).
 */
export function expression(
  given: string | RegExp,
  text = typeof given === 'string' ? `regex(${given})` : String(given),
): RouteConstraint {
  const isSource = typeof given === 'string';
  const [source, flags] = isSource ? [given, flagsOf(given)] : [given.source, given.flags.replace(/[gy]/g, '')];
  // With the flag `m`, `^` and `$` match at every line. Lookarounds match at the ends of the value only.
  const whole = flags.includes('m') ? `(?<![^])(?:${source})(?![^])` : `^(?:${source})$`;
  const pattern = new RegExp(whole, flags);
  const maxLength = maxLengthFor(source, flags);
  return new PredicateConstraint(text, (value) => value.length <= maxLength && pattern.test(value), true);
}

/** A link, the rest of a path or a collection without a server may bring a value that is longer than a segment. */
function maxLengthFor(source: string, flags: string): number {
  const predicate = 'a predicate, (value) => …, outside the template';
  let degree: number;
  try {
    degree = degreeOf(source, flags);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const problem = `the expression "${source}" can take for ever: ${error.message}`;
    throw new SyntaxError(`${problem}; write it otherwise, or give ${predicate}`, { cause: error });
  }
  if (degree <= 2) return degree === 2 ? MAX_SEGMENT : Infinity;
  const problem = `the time of the expression "${source}" can grow as length^${degree}`;
  throw new SyntaxError(`${problem}; give a repetition an end, as in {0,4}, or give ${predicate}`);
}

// The source is compiled alone: `a)(b` would compile inside the group of the whole value.
function flagsOf(source: string): string {
  try {
    new RegExp(source, 'iu');
    return 'iu';
  } catch {
    new RegExp(source, 'i');
    return 'i';
  }
}
