/**
 * Builds the automaton of an expression: which atom can follow which, over which characters, and in how many ways?
 *
 * It is Glushkov's automaton, with a state for each atom. A path from the start is one way to match a text. A matcher
 * tries the paths over one text one after the other, so they are its cost.
 *
 * Four rules of the engine decide about the transitions. An iteration above the minimum that takes nothing is refused
 * (ECMA-262 §22.2.2.3.1), so a repeat can be left out in one way. `X{1,3}` is `X(?:X(?:X)?)?`. A lookaround at one
 * character is a guard. A longer lookahead is a branch that ends.
 */
import type { CharacterSets } from './character-sets.ts';
import { type Lookaround, shortestMatch, sizeOf, type Tree } from './expression-tree.ts';
import { strongComponents } from './strong-components.ts';
import { combined, type Guard, merged, TooComplex, type Transition } from './transition.ts';

/** How a count such as `{2,9}` is read: unrolled where that is short, or as a repeat without a maximum. */
export type Counts = 'unrolled' | 'unbounded';

/** A count is unrolled up to so many states. A longer one is read as unbounded, which costs no less. */
const MAX_UNROLLED = 512;
const MAX_TRANSITIONS = 100_000;

/** The states of a part of the tree. */
interface Fragment {
  /** The ways into the part. */
  readonly first: readonly Transition[];
  /** The ways out of it. */
  readonly last: readonly Transition[];
  /** The ways past it without taking a character. */
  readonly empty: readonly Guard[];
}

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

class AutomatonBuilder {
  readonly texts: string[] = [''];
  readonly transitions: Transition[][] = [[]];
  readonly opposite: Lookaround[] = [];
  readonly #sets: CharacterSets;
  readonly #counts: Counts;
  readonly #isBackward: boolean;
  readonly #open: Guard;
  readonly #nothing: Fragment;
  #made = 0;

  constructor(sets: CharacterSets, counts: Counts, isBackward: boolean) {
    this.#sets = sets;
    this.#counts = counts;
    this.#isBackward = isBackward;
    this.#open = { before: sets.all, after: sets.all, ways: 1 };
    this.#nothing = { first: [], last: [], empty: [this.#open] };
  }

  /** The end takes any character, so that every way to match the text before it is a path of its own. */
  build(tree: Tree, before: bigint): void {
    const { first } = this.#joined(this.#add(tree), this.#atom('', this.#sets.all));
    this.#link([{ ...this.#open, state: 0, before }], first);
  }

  #add(tree: Tree): Fragment {
    switch (tree.kind) {
      case 'atom':
        return this.#atom(tree.text, this.#sets.of(tree.text));
      case 'choice': {
        const parts = tree.parts.map((part) => this.#add(part));
        return {
          first: parts.flatMap(({ first }) => first),
          last: parts.flatMap(({ last }) => last),
          empty: merged(parts.flatMap(({ empty }) => empty)),
        };
      }
      case 'sequence': {
        const parts = this.#isBackward ? tree.parts.toReversed() : tree.parts;
        return parts.reduce<Fragment>((before, part) => this.#joined(before, this.#add(part)), this.#nothing);
      }
      case 'repeat':
        return this.#repeat(tree.part, tree.min, tree.max);
      case 'lookaround':
        return this.#lookaround(tree, tree.behind === this.#isBackward);
      case 'reference':
        return this.#optional(this.#add(tree.part));
    }
  }

  #atom(text: string, set: bigint): Fragment {
    const state = this.texts.push(text) - 1;
    this.transitions.push([]);
    return { first: [{ ...this.#open, state, after: set }], last: [{ ...this.#open, state, before: set }], empty: [] };
  }

  #repeat(tree: Tree, min: number, max: number): Fragment {
    const isCount = max > 1 && (max < Infinity || min > 1);
    const isShort = (max < Infinity ? max : min + 1) * Math.max(1, sizeOf(tree)) <= MAX_UNROLLED;
    if (isCount && !(isShort && this.#counts === 'unrolled')) return this.#unbounded(tree, min, 1);
    return max === Infinity ? this.#unbounded(tree, min, min) : this.#unrolled(tree, min, max);
  }

  #unrolled(tree: Tree, min: number, max: number): Fragment {
    let required = this.#nothing;
    let rest = this.#nothing;
    for (let count = 0; count < min; count++) required = this.#joined(required, this.#add(tree));
    for (let count = min; count < max; count++) rest = this.#optional(this.#joined(nonEmpty(this.#add(tree)), rest));
    return this.#joined(required, rest);
  }

  /** A repeat without a maximum. Of its minimum, at most `unrolled` iterations are unrolled. */
  #unbounded(tree: Tree, min: number, unrolled: number): Fragment {
    const canBeEmpty = shortestMatch(tree) === 0;
    const required = Math.min(min, unrolled);
    let all = this.#nothing;
    let iteration = all;
    for (let count = 0; count < required; count++) all = this.#joined(all, (iteration = this.#add(tree)));
    // The last required iteration is the one that repeats, unless it can be empty: the ones after it cannot.
    if (canBeEmpty || required === 0) {
      iteration = nonEmpty(this.#add(tree));
      all = this.#joined(all, this.#optional(iteration));
    }
    this.#link(iteration.last, iteration.first);
    if (required === min) return all;
    // Each required iteration that was not unrolled may be empty.
    if (canBeEmpty) this.#link(iteration.last, iteration.first);
    return { ...all, empty: all.empty.map((guard) => ({ ...guard, ways: guard.ways ** min })) };
  }

  #lookaround(lookaround: Lookaround, isForward: boolean): Fragment {
    const { all } = this.#sets;
    const set = this.#setOf(lookaround.part);
    if (set !== undefined) {
      const passing = lookaround.negative ? all & ~set : set;
      const guard = isForward ? { before: all, after: passing } : { before: passing, after: all };
      return { first: [], last: [], empty: [{ ...guard, ways: 1 }] };
    }
    if (!isForward) {
      this.opposite.push(lookaround);
      return this.#nothing;
    }
    const { first, empty } = this.#add(lookaround.part);
    const isOpen = lookaround.negative || empty.length > 0;
    const after = isOpen ? all : first.reduce((some, transition) => some | transition.after, 0n);
    return { first, last: [], empty: [{ before: all, after, ways: 1 }] };
  }

  /** The characters of a part that takes exactly one, or undefined. */
  #setOf(tree: Tree): bigint | undefined {
    if (tree.kind === 'atom') return this.#sets.of(tree.text);
    if (tree.kind !== 'choice') return undefined;
    const sets = tree.parts.map((part) => this.#setOf(part));
    return sets.reduce((some, set) => (some === undefined || set === undefined ? undefined : some | set), 0n);
  }

  #optional(part: Fragment): Fragment {
    return { ...part, empty: [this.#open] };
  }

  #joined(one: Fragment, other: Fragment): Fragment {
    this.#link(one.last, other.first);
    const into = one.empty.flatMap((guard) => other.first.flatMap((way) => combined(guard, way, way.state)));
    const out = other.empty.flatMap((guard) => one.last.flatMap((way) => combined(way, guard, way.state)));
    const past = one.empty.flatMap((guard) => other.empty.flatMap((next) => combined(guard, next, 0)));
    return { first: [...one.first, ...into], last: [...other.last, ...out], empty: merged(past) };
  }

  /** Adds the transitions from the ways out of states to the ways into others. */
  #link(last: readonly Transition[], first: readonly Transition[]): void {
    for (const out of last)
      for (const transition of first.flatMap((into) => combined(out, into, into.state))) {
        if (++this.#made > MAX_TRANSITIONS) throw new TooComplex();
        this.transitions[out.state]!.push(transition);
      }
  }
}

/** An iteration that has to take something. */
const nonEmpty = (part: Fragment): Fragment => ({ ...part, empty: [] });
