/** Declares what a constraint is: it accepts or refuses one value (§4.3 rule 7). */
import { expressionCost, type LengthBound, type Spending, spend } from './expression-cost.ts';

/** Whether a value comes out of a path or goes into a link. */
export type Direction = 'match' | 'link';

/** Decides about one value and never changes it. Built-in constraints refuse `undefined`, an absent value. */
export interface RouteConstraint {
  /** The constraint as it is written, for reasons and errors. */
  readonly text: string;
  /**
   * Set where the time of `accepts` grows faster than the length of the value (D37). `accepts` is not called with a
   * longer value: a request is answered 414, and no link is made. The values of one request share ten million steps, so
   * that many of them together may be too long. Without a bound, values of every length are passed.
   */
  readonly bound?: LengthBound | undefined;
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
  readonly bound?: LengthBound | undefined;

  constructor(text: string, predicate: ConstraintPredicate, isPure = false, bound?: LengthBound) {
    this.text = text;
    this.predicate = predicate;
    this.isPure = isPure;
    if (bound !== undefined) this.bound = bound;
  }

  accepts(value: string | undefined): boolean {
    return value !== undefined && this.predicate(value);
  }
}

/** Why a value, or a route, is rejected. A `status` answers the request: no later route is tried. */
export class Rejection {
  /** The reason in words: few requests need it. */
  readonly told: () => string;
  readonly status: 414 | undefined;

  constructor(told: () => string, status?: 414) {
    this.told = told;
    this.status = status;
  }
}

/** Why the constraints of the parameter `name` reject a value, or undefined. A link has no `spending`. */
export function rejectionOf(
  name: string,
  constraints: readonly RouteConstraint[],
  value: string | undefined,
  direction: Direction,
  spending?: Spending,
): Rejection | undefined {
  for (const constraint of constraints) {
    const rejection = excessOf(constraint, name, value, spending);
    if (rejection !== undefined) return rejection;
    if (!constraint.accepts(value, direction)) return refusal(constraint, name, value);
  }
  return undefined;
}

const refusal = ({ text }: RouteConstraint, name: string, value: string | undefined): Rejection =>
  new Rejection(() => `{${name}:${text}} rejects ${value === undefined ? 'a missing value' : JSON.stringify(value)}`);

/** Why a value is too long for a constraint (D37). */
function excessOf(
  { text, bound }: RouteConstraint,
  name: string,
  value: string | undefined,
  spending: Spending | undefined,
): Rejection | undefined {
  if (bound === undefined || value === undefined) return undefined;
  const { maxLength, degree } = bound;
  if (value.length > maxLength) {
    const cause = `because its cost grows as length^${degree}; there are ${value.length}`;
    return new Rejection(() => `{${name}:${text}} takes at most ${maxLength} characters, ${cause}`, 414);
  }
  if (spending === undefined || spend(bound, value.length, spending)) return undefined;
  const steps = 'more than ten million steps to match';
  return new Rejection(() => `The path costs ${steps}: {${name}:${text}} and the constraints tried before`, 414);
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

/** No path is longer, whatever the settings say (1 MiB). */
const MAX_PATH_LENGTH = 2 ** 20;

/**
 * The constraint of a `RegExp` or of the source of one: the whole value has to match, ignoring case (D22). A source
 * has the flags `iu` where it compiles with them, otherwise `i`. A `RegExp` keeps its own flags except `g` and `y`. The
 * cost bounds the length of a value (D37). Throws a `SyntaxError` for an expression that does not compile or whose time
 * can grow exponentially (D31).
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
  return new PredicateConstraint(text, (value) => pattern.test(value), true, boundOf(source, flags));
}

/** Undefined where the cost of the longest path is acceptable. */
function boundOf(source: string, flags: string): RouteConstraint['bound'] {
  try {
    const cost = expressionCost(source, flags);
    return cost.degree >= 2 || cost.maxLength < MAX_PATH_LENGTH ? cost : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const remedy = 'write it otherwise, or give a predicate, (value) => …, outside the template';
    const problem = `the expression "${source}" can take for ever: ${error.message}`;
    throw new SyntaxError(`${problem}; ${remedy}`, { cause: error });
  }
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
