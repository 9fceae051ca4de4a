/**
 * Determines what a regular expression can cost, and how long a value may be that it is tried on (D31, D37, D64).
 *
 * The source is parsed into a tree (`parse-expression.ts`, `expression-tree.ts`), and the engine tells which characters
 * each atom takes (`character-sets.ts`). Tree and sets become an automaton whose paths over one text are the ways to
 * match it (`expression-automaton.ts`, `transition.ts`). An expression with exponentially many
 * ways is refused (`expression-ambiguity.ts`). The cost of the others is a power of the length
 * (`expression-degree.ts`), and the length is bounded so that the power stays below ten million. Both questions are
 * answered by strongly connected components of a product of automata (`product-automaton.ts`, `strong-components.ts`).
 */
import { CharacterSets } from './character-sets.ts';
import { ambiguityOf } from './expression-ambiguity.ts';
import { automatonOf, type Counts } from './expression-automaton.ts';
import { type Growth, growthOf } from './expression-degree.ts';
import { type Lookaround, shortestMatch, type Tree, textsIn, waysThrough } from './expression-tree.ts';
import { parseExpression } from './parse-expression.ts';
import { TooComplex } from './transition.ts';

/** The steps that one value may cost: about a tenth of a second. */
const MAX_COST = 10_000_000;
/** An expression with no more ways to match, whatever the length, needs no further analysis. */
const FEW_WAYS = 1_000;
/** A constant factor up to this is ignored. Most expressions have one, such as alternatives that begin alike. */
const SMALL_FACTOR = 10;

/** What an expression costs. */
export interface ExpressionCost {
  /** The cost grows as `length^degree`; 0 where nothing repeats without a maximum. */
  readonly degree: number;
  /** The longest value, in UTF-16 code units, whose cost stays below ten million. `Infinity` where any length does. */
  readonly maxLength: number;
}

/**
 * The cost of an expression on a whole value, with flags with which it compiles. Throws a `SyntaxError` where the cost
 * grows exponentially (D31) or where the shortest match is longer than the longest value.
 */
export function expressionCost(source: string, flags: string): ExpressionCost {
  const tree = parseExpression(source, flags);
  if (waysThrough(tree, FEW_WAYS) <= FEW_WAYS) return { degree: 0, maxLength: Infinity };
  const sets = new CharacterSets(textsIn(tree), source, flags);
  const exact = analysed(tree, sets, 'unrolled');
  if (typeof exact === 'string') throw new SyntaxError(exact);
  if (exact !== undefined && exact.ways <= FEW_WAYS) return reachable(tree, costOf(exact));
  // Unbounded counts may allow longer values: `(?:(?:a{1,5}){1,5}){1,5}` has too many ways when unrolled.
  const unbounded = analysed(tree, sets, 'unbounded');
  const costs = [exact, unbounded].flatMap((growth) => (typeof growth === 'object' ? [costOf(growth)] : []));
  const [best] = costs.sort((one, other) => other.maxLength - one.maxLength);
  if (best !== undefined && best.maxLength > 0) return reachable(tree, best);
  if (exact !== undefined) throw new SyntaxError('one text can be read in millions of ways');
  throw new SyntaxError(typeof unbounded === 'string' ? unbounded : 'it is too involved to tell how long it can take');
}

/** The cost, where a match can be short enough for it. */
function reachable(tree: Tree, cost: ExpressionCost): ExpressionCost {
  const shortest = shortestMatch(tree);
  if (shortest <= cost.maxLength) return cost;
  throw new SyntaxError(
    `it takes ${shortest} characters or more, and with length^${cost.degree} that costs more than ten million steps`,
  );
}

/** How the cost grows, the reason why it grows exponentially, or undefined where that is too complex to tell. */
type Analysis = Growth | string | undefined;

function analysed(tree: Tree, sets: CharacterSets, counts: Counts, lookaround?: Lookaround): Analysis {
  try {
    const automaton = automatonOf(tree, sets, counts, lookaround);
    const reason = ambiguityOf(automaton);
    if (reason !== undefined) return reason;
    let { degree, ways, longest } = growthOf(automaton);
    // A lookaround in the other direction is run again for each way to reach it.
    for (const opposite of automaton.opposite) {
      const growth = analysed(opposite.part, sets, counts, opposite);
      if (typeof growth !== 'object') return growth;
      degree += growth.degree;
      ways *= growth.ways;
      longest += growth.longest;
    }
    return { degree, ways, longest };
  } catch (error) {
    if (error instanceof TooComplex) return undefined;
    throw error;
  }
}

/** Of `length^degree` ways one in `degree` factorial is possible: repeats in a chain end in their order. */
function costOf({ degree, ways, longest }: Growth): ExpressionCost {
  let factor = ways;
  for (let number = 2; number <= degree; number++) factor /= number;
  const maxPower = MAX_COST / (factor <= SMALL_FACTOR ? 1 : factor);
  if (degree === 0) return { degree, maxLength: maxPower > longest ? Infinity : 0 };
  let maxLength = Math.ceil(maxPower ** (1 / degree));
  while (maxLength > 0 && maxLength ** degree >= maxPower) maxLength--;
  return { degree, maxLength };
}
