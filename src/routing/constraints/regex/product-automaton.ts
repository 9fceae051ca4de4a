/**
 * Builds the product of automata: which states can several automata be in after the same text?
 *
 * Two copies of the automaton of `(?:ab?|a)*` that start in one state can part at the same `a`: one is then before the
 * optional `b`, the other after it.
 */
import { TooComplex, type Transition } from './transition.ts';

const MAX_TRANSITIONS = 300_000;

/** A product of automata. Its states are numbered in the order in which they are found. */
export class ProductAutomaton {
  /** The state of each automaton, for each state of the product. */
  readonly states: number[][] = [];
  /** The states of the product that one character leads to, for each state of the product. */
  readonly successors: number[][] = [];
  readonly #numbers = new Map<number, number>();
  readonly #automata: readonly (readonly (readonly Transition[])[])[];
  #tried = 0;

  /** Takes the transitions of each automaton, by state. The automata have equally many states. */
  constructor(...automata: readonly (readonly (readonly Transition[])[])[]) {
    this.#automata = automata;
  }

  /** The number of a state of the product, which is added where it is new. */
  add(states: readonly number[]): number {
    const key = states.reduce((some, state) => some * this.#automata[0]!.length + state, 0);
    if (!this.#numbers.has(key)) this.#numbers.set(key, this.states.push([...states]) - 1);
    return this.#numbers.get(key)!;
  }

  /** Adds every state that can be reached from those that were added. Throws `TooComplex` after 300,000 transitions. */
  explore(): void {
    for (let number = 0; number < this.states.length; number++) {
      this.successors.push([]);
      this.#move(number, [], -1n, -1n);
    }
  }

  /** Moves one automaton after another over a character that all of them can take. */
  #move(from: number, moved: readonly number[], before: bigint, after: bigint): void {
    const automaton = moved.length;
    const states = this.states[from]!;
    if (automaton === states.length) {
      this.successors[from]!.push(this.add(moved));
      return;
    }
    for (const transition of this.#automata[automaton]![states[automaton]!]!) {
      if (++this.#tried > MAX_TRANSITIONS) throw new TooComplex();
      const bothBefore = transition.before & before;
      const bothAfter = transition.after & after;
      if (bothBefore !== 0n && bothAfter !== 0n) this.#move(from, [...moved, transition.state], bothBefore, bothAfter);
    }
  }
}
