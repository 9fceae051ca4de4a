/**
 * Decides whether the number of ways to match a text grows exponentially with its length (D31).
 *
 * `(a+)+` matches `aaaa` in 2^3 ways: after each letter the inner repeat continues or the outer one starts again. This
 * is the EDA criterion (A. Weber and H. Seidl, On the degree of ambiguity of finite automata, 1991): two different
 * paths lead from a state back to it over one text. In the product of the automaton with itself, they part and meet in
 * one component.
 */
import type { Automaton } from './expression-automaton.ts';
import { ProductAutomaton } from './product-automaton.ts';
import { strongComponents } from './strong-components.ts';
import { combined } from './transition.ts';

/** Why the number of ways grows exponentially, or undefined. Throws `TooComplex` where the product is too large. */
export function ambiguityOf({ texts, cyclic }: Automaton): string | undefined {
  for (const transitions of cyclic) {
    const double = transitions.find(
      (one, at) =>
        one.ways > 1 ||
        transitions.slice(0, at).some((other) => other.state === one.state && combined(one, other, 0).length > 0),
    );
    if (double !== undefined) return `"${texts[double.state]}" can follow in two ways in a repetition`;
  }
  const product = new ProductAutomaton(cyclic, cyclic);
  for (const [state, some] of cyclic.entries()) if (some.length > 0) product.add([state, state]);
  product.explore();
  const components = strongComponents(product.successors);
  const equal = new Set(components.filter((_, at) => product.states[at]![0] === product.states[at]![1]));
  const apart = product.states.find(([one, other], at) => one !== other && equal.has(components[at]!));
  return apart && `"${texts[apart[0]!]}" and "${texts[apart[1]!]}" can take the same text in one repetition`;
}
