/**
 * Determines the power with which the number of ways to match a text grows with its length (D37).
 *
 * `a*a*` matches `aaaa` in five ways, one for each place where the first repeat can end. This is the IDA criterion (A.
 * Weber and H. Seidl, On the degree of ambiguity of finite automata, 1991): over one text there are paths from a state
 * back to it, from it to another state, and from that one back to it. Each such pair in a chain multiplies the ways by
 * the length. `a*b*` has none, because no text passes both repeats. Every prefix counts, because a matcher goes as far
 * as it can.
 */
import type { Automaton } from './expression-automaton.ts';
import { ProductAutomaton } from './product-automaton.ts';
import { strongComponents } from './strong-components.ts';
import { TooComplex, type Transition } from './transition.ts';

/** How the cost grows. */
export interface Growth {
  /** The cost grows as `length^degree`; 0 where nothing repeats without a maximum. */
  readonly degree: number;
  /** The constant factor: in how many ways one text can match while no repeat starts or ends. */
  readonly ways: number;
  /** The greatest number of characters on a path without a cycle. */
  readonly longest: number;
}

/** How the cost of an expression grows that is not exponentially ambiguous. */
export const growthOf = (automaton: Automaton): Growth => new DegreeAnalysis(automaton).growth();

class DegreeAnalysis {
  readonly #automaton: Automaton;
  /** The states of each component. */
  readonly #states: number[][] = [];
  /** The states of each component that has a cycle. */
  readonly #cycles: number[][] = [];
  /** The characters that each cycle takes. */
  readonly #characters: bigint[] = [];
  readonly #linked = new Map<number, boolean>();
  /** The greatest number of links on a path from each component to the end. */
  readonly #links: number[] = [];
  /** The greatest number of ways in which one text can match from each component to the end. */
  readonly #ways: number[] = [];

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
    for (const [state, component] of automaton.components.entries()) {
      const cyclic = automaton.cyclic[state]!;
      (this.#states[component] ??= []).push(state);
      if (cyclic.length > 0) (this.#cycles[component] ??= []).push(state);
      for (const { after } of cyclic) this.#characters[component] = (this.#characters[component] ?? 0n) | after;
    }
  }

  growth(): Growth {
    const { components, transitions } = this.#automaton;
    // The numbers of components rise from the end of the expression to its start.
    for (const [component, states] of this.#states.entries()) {
      const leaving = states.map((from) => transitions[from]!.filter(({ state }) => components[state] !== component));
      const linked = this.#links.map((count, other) => (this.#areLinked(component, other) ? count + 1 : 0));
      const left = leaving.flat().map(({ state }) => this.#links[components[state]!]!);
      this.#ways.push(leaving.reduce((most, some) => Math.max(most, this.#waysOf(some)), 1));
      this.#links.push([...linked, ...left].reduce((most, links) => Math.max(most, links), 0));
    }
    const degree = this.#cycles.length > 0 ? 1 + this.#links[components[0]!]! : 0;
    return { degree, ways: this.#ways[components[0]!]!, longest: transitions.length };
  }

  /** The greatest number of ways in which one text can match that starts with one of these transitions. */
  #waysOf(some: readonly Transition[]): number {
    const { components } = this.#automaton;
    let most = 0;
    for (let rest = some.reduce((set, { after }) => set | after, 0n); rest !== 0n; rest &= rest - 1n) {
      const possible = some.filter(({ after }) => (after & rest & -rest) !== 0n);
      const entered = Array.from(new Set(possible.map(({ state }) => state)), (state) => components[state]!);
      let sum = possible.reduce((sum, { state, ways }) => sum + ways * this.#ways[components[state]!]!, 0);
      // A cycle to which another one is linked is also entered from that one. The degree has counted this way.
      for (const component of entered)
        if (entered.some((other) => this.#areLinked(other, component))) sum -= this.#ways[component]!;
      most = Math.max(most, sum);
    }
    return most;
  }

  /** Is a cycle linked to another one after it? Where that is too complex to tell, it is. */
  #areLinked(one: number, other: number): boolean {
    if (other >= one || this.#cycles[one] === undefined || this.#cycles[other] === undefined) return false;
    const key = one * this.#states.length + other;
    if (!this.#linked.has(key)) this.#linked.set(key, this.#haveCommonText(one, other));
    return this.#linked.get(key)!;
  }

  /** Can the three paths of the criterion take the same text? */
  #haveCommonText(one: number, other: number): boolean {
    const { components, cyclic, transitions } = this.#automaton;
    const common = this.#characters[one]! & this.#characters[other]!;
    const reached = new Set(this.#cycles[one]);
    if (common === 0n) return false;
    for (const from of reached)
      for (const { state, after } of transitions[from]!)
        if ((after & common) !== 0n && components[state]! >= other) reached.add(state);
    if (!this.#cycles[other]!.some((state) => reached.has(state))) return false;
    const between = transitions.map((some, from) =>
      reached.has(from) ? some.filter(({ state, after }) => (after & common) !== 0n && reached.has(state)) : [],
    );
    const product = new ProductAutomaton(cyclic, between, cyclic);
    for (const first of this.#cycles[one]!) for (const last of this.#cycles[other]!) product.add([first, first, last]);
    try {
      product.explore();
    } catch (error) {
      if (error instanceof TooComplex) return true;
      throw error;
    }
    // A way from "one, other, other" back to "one, one, other" closes a cycle where the paths have a common text.
    const back = product.states.flatMap(([first, second, last], state) =>
      second === last ? [[state, product.add([first!, first!, last!])] as const] : [],
    );
    for (const [from, to] of back) product.successors[from]!.push(to);
    const closed = strongComponents(product.successors);
    return back.some(([from, to]) => closed[from] === closed[to]);
  }
}
