/**
 * Makes the check of `pattern`: the expression is searched for anywhere in the text, as JSON Schema has it. A route
 * constraint differs: its expression has to match the whole value (D22).
 */
import { type ExpressionCost, expressionCost, isFree } from '../../../routing/constraints/expression-cost.ts';

/**
 * An expression that was found safe, and what it costs to search a text for it (D37): its `maxLength` is `Infinity`
 * where that grows no faster than the text.
 */
export interface Pattern extends ExpressionCost {
  readonly expression: RegExp;
}

/**
 * Compiles an expression. Throws a `SyntaxError` if it does not compile with the flag `u`, or if its time can grow
 * exponentially (D31).
 */
export function patternOf(source: string): Pattern {
  const expression = new RegExp(source, 'u');
  // A search begins at every character, as if anything could stand in front.
  const cost = expressionCost(`[^]*?(?:${source})`, 'u');
  return { expression, degree: cost.degree, maxLength: isFree(cost) ? Infinity : cost.maxLength };
}
