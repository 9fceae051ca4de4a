/**
 * Makes the check of `pattern`: the expression is searched for anywhere in the text, as JSON Schema has it. A route
 * constraint differs: its expression has to match the whole value (D22).
 */
import { expressionCost } from '../../../routing/constraints/expression-cost.ts';

/** An expression that was found safe, and how long a text may be that it is searched in (D37). */
export interface Pattern {
  readonly expression: RegExp;
  /** In UTF-16 code units; `Infinity` for an expression whose cost grows no faster than the text. */
  readonly maxLength: number;
}

/**
 * Compiles an expression. Throws a `SyntaxError` if it does not compile with the flag `u`, or if its time can grow
 * exponentially (D31).
 */
export function patternOf(source: string): Pattern {
  const expression = new RegExp(source, 'u');
  // A search begins at every character, as if anything could stand in front.
  const { degree, maxLength } = expressionCost(`[^]*?(?:${source})`, 'u');
  return { expression, maxLength: degree < 2 ? Infinity : maxLength };
}
