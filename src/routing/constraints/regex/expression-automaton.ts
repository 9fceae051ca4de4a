/**
 * Builds the automaton of an expression: which atom can follow which, over which characters, and in how many ways?
 *
 * It is Glushkov's automaton, with a state for each atom. A path from the start is one way to match a text. A matcher
 * tries the paths over one text one after the other, so they are its cost.
 */
import type { Counts } from './automaton-builder.ts';
import { AutomatonBuilder } from './automaton-builder.ts';
import type { CharacterSets } from './character-sets.ts';
import type { Lookaround, Tree } from './expression-tree.ts';
import { strongComponents } from './strong-components.ts';
import type { Transition } from './transition.ts';

/** The automaton of an expression. State 0 is the start, the last state is the end. */
export interface Automaton {
  /** The text of each atom, by state. */
  readonly texts: readonly string[];
  readonly transitions: readonly (readonly Transition[])[];
  /** The strongly connected component of each state. */
  readonly components: readonly number[];
  /** The transitions that stay in their component. */
  readonly cyclic: readonly (readonly Transition[])[];
  /** The longer lookarounds in the other direction, which are analysed as expressions of their own. */
  readonly opposite: readonly Lookaround[];
}

/**
 * The automaton of an expression, or of the inside of one of its lookarounds, which starts anywhere. That of a
 * lookbehind reads from right to left. Throws `TooComplex` above 100,000 transitions.
 */
export function automatonOf(tree: Tree, sets: CharacterSets, counts: Counts, lookaround?: Lookaround): Automaton {
  const builder = new AutomatonBuilder(sets, counts, lookaround?.behind ?? false);
  builder.build(tree, lookaround === undefined ? sets.edge : sets.all);
  const reached = new Set([0]);
  for (const state of reached) for (const next of builder.transitions[state]!) reached.add(next.state);
  const transitions = builder.transitions.map((some, state) => (reached.has(state) ? some : []));
  const components = strongComponents(transitions.map((some) => some.map(({ state }) => state)));
  const cyclic = transitions.map((some, from) => some.filter(({ state }) => components[state] === components[from]));
  return { texts: builder.texts, transitions, components, cyclic, opposite: builder.opposite };
}
