/**
 * Can a text be read in exponentially many ways? (D31)
 *
 * `(a+)+` reads `aaaa` in two to the third: between two letters the inner loop can go on or the outer one begin anew. It is so where two
 * different walks lead from a position back to it over one text. Two tokens then part on a circle and meet again.
 */

import type { Automaton } from './expression-automaton.ts';
import { Tokens } from './expression-tokens.ts';
import { components } from './strong-components.ts';

/**
 * Why the ways grow exponentially, or undefined. `circles` has a number for each position, the same for those that can be reached from
 * each other. Throws `TooInvolved` where it takes too long to tell.
 */
export function ambiguityOf({ texts, steps }: Automaton, circles: readonly number[]): string | undefined {
  const round = steps.map((some, position) => some.filter(({ to }) => circles[to] === circles[position]));
  for (const some of round) {
    const double = some.find(
      (step, at) =>
        step.ways > 1 ||
        some.some(
          (other, before) =>
            before < at && other.to === step.to && (other.from & step.from) !== 0n && (other.set & step.set) !== 0n,
        ),
    );
    if (double !== undefined) return `"${texts[double.to]}" can follow in two ways in a repetition`;
  }
  const tokens = new Tokens(round, round);
  for (const [position, some] of round.entries()) if (some.length > 0) tokens.at([position, position]);
  tokens.walk();
  const rings = components(tokens.places.length, (number) => tokens.edges[number]!),
    together = new Set<number>();
  for (const [number, [one, other]] of tokens.places.entries()) if (one === other) together.add(rings[number]!);
  const apart = tokens.places.find(([one, other], number) => one !== other && together.has(rings[number]!));
  return apart && `"${texts[apart[0]!]}" and "${texts[apart[1]!]}" can take the same text in one repetition`;
}
