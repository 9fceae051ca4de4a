/**
 * Where can several tokens be that walk through the positions of an expression over one text?
 *
 * Two tokens that begin at one position of `(?:ab?|a)*` can part on the same `a`: one is before the optional `b`, one behind it. Every
 * arrangement of tokens that can come about is a node of a graph, and what one character makes of it are its edges.
 */
import type { Step } from './expression-automaton.ts';
import { TooInvolved } from './too-involved.ts';

const MAX_STEPS = 300_000;

/** The arrangements of some tokens; each has a number. */
export class Tokens {
  /** Where the tokens are, by number. */
  readonly places: number[][] = [];
  /** The numbers that one character leads to, by number. */
  readonly edges: number[][] = [];
  readonly #numbers = new Map<number, number>();
  readonly #stepsOf: readonly (readonly (readonly Step[])[])[];
  #made = 0;

  /** For each token the steps that it may take, by position. */
  constructor(...stepsOf: readonly (readonly (readonly Step[])[])[]) {
    this.#stepsOf = stepsOf;
  }

  /** The number of an arrangement. */
  at(places: readonly number[]): number {
    const key = places.reduce((some, place) => some * this.#stepsOf[0]!.length + place, 0);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.places.push([...places]) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }

  /** Adds all that can come about from the arrangements that are there. Throws `TooInvolved` where that is too much. */
  walk(): this {
    for (let number = 0; number < this.places.length; number++) {
      this.edges.push([]);
      this.#step(this.places[number]!, [], -1n, -1n, this.edges[number]!);
    }
    return this;
  }

  /** Moves one token after another over a character that all of them can take. */
  #step(places: readonly number[], moved: number[], from: bigint, set: bigint, targets: number[]): void {
    const token = moved.length;
    if (token === places.length) {
      targets.push(this.at(moved));
      return;
    }
    for (const step of this.#stepsOf[token]![places[token]!]!) {
      if (++this.#made > MAX_STEPS) throw new TooInvolved();
      if ((step.from & from) === 0n || (step.set & set) === 0n) continue;
      this.#step(places, [...moved, step.to], step.from & from, step.set & set, targets);
    }
  }
}
