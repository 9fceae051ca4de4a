/**
 * What can a regular expression cost, and how long may a value be that it is shown? (D31, D37)
 *
 * Exponential ones are refused. The cost of the others grows as a power of the length, and the length is bounded so that the power stays
 * below ten million. Counts such as `{1,9}` are written out first, which is exact. Where that leaves a number of ways that is not small
 * they are taken for loops without end, and what allows the longer value of the two holds: `(?:a{1,5}){1,5}` is read in few ways,
 * `(?:(?:a{1,5}){1,5}){1,5}` in too many.
 */

import { ambiguityOf } from './expression-ambiguity.ts';
import type { Counts } from './expression-automaton.ts';
import { automatonOf } from './expression-automaton.ts';
import { CharacterSets } from './expression-characters.ts';
import type { Growth } from './expression-degree.ts';
import { growthOf } from './expression-degree.ts';
import { shortestOf, textsIn, waysThrough } from './expression-shape.ts';
import type { Look, Tree } from './expression-tree.ts';
import { expressionTree } from './expression-tree.ts';
import { components } from './strong-components.ts';
import { TooInvolved } from './too-involved.ts';

/** The steps that one value may cost, about a tenth of a second. */
const MAX_COST = 10_000_000;
/** With no more ways than this, whatever the length, counts need no second look. */
const FEW_WAYS = 1_000;
/** A factor up to this is not counted: most expressions have one, such as the alternatives of a choice that begin alike. */
const SMALL_FACTOR = 10;

/** What an expression costs. */
export interface ExpressionCost {
  /** The cost grows as `length^degree`; 0 where nothing is repeated without end. */
  readonly degree: number;
  /** The longest value, in UTF-16 code units, whose cost stays below ten million; `Infinity` where the length makes no difference. */
  readonly maxLength: number;
}

/** The cost of an expression that compiles with these flags, on a whole value. Throws a `SyntaxError` for an exponential one (D31). */
export function expressionCost(source: string, flags: string): ExpressionCost {
  const tree = expressionTree(source, flags);
  if (waysThrough(tree, FEW_WAYS) <= FEW_WAYS) return { degree: 0, maxLength: Infinity };
  const sets = new CharacterSets(textsIn(tree), source, flags);
  const exact = judged(tree, sets, 'written out');
  if (typeof exact === 'string') throw new SyntaxError(exact);
  if (exact !== undefined && exact.ways <= FEW_WAYS) return withinReach(tree, costOf(exact));
  const looser = judged(tree, sets, 'endless');
  const costs = [exact, looser].flatMap((growth) => (typeof growth === 'object' ? [costOf(growth)] : []));
  const best = costs.reduce((one, other) => (other.maxLength > one.maxLength ? other : one), {
    degree: Infinity,
    maxLength: 0,
  });
  if (best.maxLength > 0) return withinReach(tree, best);
  if (exact !== undefined) throw new SyntaxError('one text can be read in millions of ways');
  throw new SyntaxError(typeof looser === 'string' ? looser : 'it is too involved to tell how long it can take');
}

/** The cost, if a value that the expression takes can be that short. */
function withinReach(tree: Tree, cost: ExpressionCost): ExpressionCost {
  const shortest = shortestOf(tree);
  if (shortest <= cost.maxLength) return cost;
  throw new SyntaxError(
    `it takes ${shortest} characters or more, and with length^${cost.degree} that costs more than ten million steps`,
  );
}

/** How the cost of a tree grows, a reason where it does so exponentially, undefined where that takes too long to tell. */
function judged(tree: Tree, sets: CharacterSets, counts: Counts, look?: Look): Growth | string | undefined {
  try {
    const automaton = automatonOf(tree, sets, counts, look);
    const circles = components(automaton.steps.length, (position) => automaton.steps[position]!.map(({ to }) => to));
    const reason = ambiguityOf(automaton, circles);
    if (reason !== undefined) return reason;
    let { degree, ways, longest } = growthOf(automaton, circles);
    // A look into the other direction is run again for each way to reach it.
    for (const turned of automaton.turned) {
      const growth = judged(turned.part, sets, counts, turned);
      if (typeof growth !== 'object') return growth;
      degree += growth.degree;
      ways *= growth.ways;
      longest += growth.longest;
    }
    return { degree, ways, longest };
  } catch (error) {
    if (error instanceof TooInvolved) return undefined;
    throw error;
  }
}

/** The loops of a chain end one behind the other, so that of `length^degree` ways only one in `degree` factorial is possible. */
function costOf({ degree, ways, longest }: Growth): ExpressionCost {
  let factor = ways;
  for (let loop = 2; loop <= degree; loop++) factor /= loop;
  const most = MAX_COST / (factor <= SMALL_FACTOR ? 1 : factor);
  if (degree === 0) return { degree, maxLength: most > longest ? Infinity : 0 };
  let maxLength = Math.ceil(most ** (1 / degree));
  while (maxLength > 0 && maxLength ** degree >= most) maxLength--;
  return { degree, maxLength };
}
