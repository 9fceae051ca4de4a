/**
 * Which atom of an expression can follow which, over which characters, and in how many ways? (Glushkov's construction)
 *
 * `(?:ab?)*c` has the positions a, b and c. From a one can go on to b, a or c, from b to a or c: a walk from the start through the
 * positions is one way to read a text. Two walks over one text are what a matcher tries one after the other, so walks are its cost.
 *
 * Four rules of the engine show here. A round beyond the least number that takes nothing is refused (ECMA-262 §22.2.2.3.1), so a
 * loop can be left out in one way only. `X{1,3}` is `X(?:X(?:X)?)?`. A look of one character is a gate that lets only some characters
 * pass; a longer look ahead is a side way that is entered and never left.
 */
import type { CharacterSets } from './expression-characters.ts';
import type { Door, Gate } from './expression-gates.ts';
import { merged, passed } from './expression-gates.ts';
import { canBeEmpty, sizeOf } from './expression-shape.ts';
import type { Look, Tree } from './expression-tree.ts';
import { TooInvolved } from './too-involved.ts';

/** A step from one position to the next: over which character behind it, to which in front of it, and how many alike there are. */
export interface Step {
  readonly to: number;
  readonly from: bigint;
  readonly set: bigint;
  readonly ways: number;
}

/** The positions of an expression. The first is the start, the last is the end. */
export interface Automaton {
  /** The text of each atom. */
  readonly texts: readonly string[];
  readonly steps: readonly (readonly Step[])[];
  /** The longer looks into the other direction, which are judged as expressions of their own. */
  readonly turned: readonly Look[];
}

/** How counts such as `{2,9}` are read: written out where that is short, or all as loops without end. */
export type Counts = 'written out' | 'endless';

/**
 * Makes the automaton of an expression, or of one of its looks, which begins anywhere and is read from right to left where it looks
 * behind. Throws `TooInvolved` where it has more than 100,000 steps.
 */
export function automatonOf(tree: Tree, sets: CharacterSets, counts: Counts, look?: Look): Automaton {
  const builder = new Builder(sets, counts, look?.behind ?? false);
  const start = { position: 0, before: look === undefined ? sets.edge : sets.all, after: sets.all, ways: 1 };
  builder.link([start], builder.ended(builder.add(tree)).first);
  const reached = new Set([0]);
  for (const position of reached) for (const { to } of builder.steps[position]!) reached.add(to);
  const steps = builder.steps.map((some, position) => (reached.has(position) ? some : []));
  return { texts: builder.texts, steps, turned: builder.turned };
}

interface Part {
  readonly first: readonly Door[];
  readonly last: readonly Door[];
  readonly empty: readonly Gate[];
}

/** A count is written out up to so many positions; a longer one is taken for a loop, which costs no less. */
const MAX_WRITTEN_OUT = 512;
const MAX_STEPS = 100_000;

class Builder {
  readonly texts: string[] = [''];
  readonly steps: Step[][] = [[]];
  readonly turned: Look[] = [];
  readonly #sets: CharacterSets;
  readonly #counts: Counts;
  readonly #backward: boolean;
  readonly #open: Gate;
  #made = 0;

  constructor(sets: CharacterSets, counts: Counts, backward: boolean) {
    this.#sets = sets;
    this.#counts = counts;
    this.#backward = backward;
    this.#open = { before: sets.all, after: sets.all, ways: 1 };
  }

  /** Adds the positions of a tree. */
  add(tree: Tree): Part {
    switch (tree.kind) {
      case 'atom':
        return this.#position(tree.text, this.#sets.of(tree.text));
      case 'choice': {
        const parts = tree.parts.map((part) => this.add(part));
        return {
          first: parts.flatMap((part) => part.first),
          last: parts.flatMap((part) => part.last),
          empty: merged(parts.flatMap((part) => part.empty)),
        };
      }
      case 'sequence':
        return (this.#backward ? tree.parts.toReversed() : tree.parts).reduce<Part>(
          (before, part) => this.#joined(before, this.add(part)),
          this.#nothing(),
        );
      case 'repeat':
        return this.#repeated(tree.part, tree.least, tree.most);
      case 'look':
        return this.#looking(tree, tree.behind === this.#backward);
      case 'reference':
        return this.#optional(this.add(tree.part));
    }
  }

  #repeated(tree: Tree, least: number, most: number): Part {
    const nullable = canBeEmpty(tree),
      isCount = most > 1 && (most < Infinity || least > 1);
    const rounds = most < Infinity ? most : least + 1;
    const writtenOut =
      !isCount || (this.#counts === 'written out' && rounds * Math.max(1, sizeOf(tree)) <= MAX_WRITTEN_OUT);
    const required = writtenOut ? least : Math.min(least, 1);
    let all = this.#nothing(),
      round = all;
    for (let count = 0; count < required; count++) all = this.#joined(all, (round = this.add(tree)));
    if (writtenOut && most < Infinity) {
      let more = this.#nothing();
      for (let count = required; count < most; count++)
        more = this.#optional(this.#joined(filled(this.add(tree)), more));
      return this.#joined(all, more);
    }
    // The last round that must be there is the one that loops, unless it can be empty: those behind it cannot.
    if (nullable || required === 0) all = this.#joined(all, this.#optional((round = filled(this.add(tree)))));
    this.link(round.last, round.first);
    // Rounds that were not written out may be empty, each in its place.
    if (nullable && least > required) this.link(round.last, round.first);
    return least > required ? { ...all, empty: all.empty.map((gate) => ({ ...gate, ways: gate.ways ** least })) } : all;
  }

  /** The part and, behind it, a position that takes anything: what can be read in two ways up to the end is tried twice. */
  ended(part: Part): Part {
    return this.#joined(part, this.#position('', this.#sets.all));
  }

  #position(text: string, set: bigint): Part {
    const position = this.texts.push(text) - 1;
    this.steps.push([]);
    return {
      first: [{ ...this.#open, position, after: set }],
      last: [{ ...this.#open, position, before: set }],
      empty: [],
    };
  }

  #looking(look: Look, onward: boolean): Part {
    const { all } = this.#sets,
      set = this.#setOf(look.part);
    if (set !== undefined) {
      const passing = look.negative ? all & ~set : set;
      return {
        first: [],
        last: [],
        empty: [{ before: onward ? all : passing, after: onward ? passing : all, ways: 1 }],
      };
    }
    if (!onward) {
      this.turned.push(look);
      return this.#nothing();
    }
    const { first, empty } = this.add(look.part);
    if (look.negative || empty.length > 0) return { first, last: [], empty: [this.#open] };
    return {
      first,
      last: [],
      empty: [{ before: all, after: first.reduce((some, door) => some | door.after, 0n), ways: 1 }],
    };
  }

  /** The characters of a tree that takes exactly one, or undefined. */
  #setOf(tree: Tree): bigint | undefined {
    if (tree.kind === 'atom') return this.#sets.of(tree.text);
    if (tree.kind !== 'choice') return undefined;
    const sets = tree.parts.map((part) => this.#setOf(part));
    return sets.reduce((some, set) => (some === undefined || set === undefined ? undefined : some | set), 0n);
  }

  #nothing = (): Part => ({ first: [], last: [], empty: [this.#open] });
  #optional = (part: Part): Part => ({ ...part, empty: [this.#open] });

  #joined(before: Part, after: Part): Part {
    this.link(before.last, after.first);
    return {
      first: [
        ...before.first,
        ...before.empty.flatMap((gate) => after.first.flatMap((door) => passed(gate, door, door.position))),
      ],
      last: [
        ...after.last,
        ...after.empty.flatMap((gate) => before.last.flatMap((door) => passed(door, gate, door.position))),
      ],
      empty: merged(before.empty.flatMap((gate) => after.empty.flatMap((next) => passed(gate, next, 0)))),
    };
  }

  /** Adds the steps out of some doors and into others. */
  link(last: readonly Door[], first: readonly Door[]): void {
    for (const out of last) {
      for (const into of first) {
        const from = out.before & into.before,
          set = out.after & into.after;
        if (from === 0n || set === 0n) continue;
        if (++this.#made > MAX_STEPS) throw new TooInvolved();
        this.steps[out.position]!.push({ to: into.position, from, set, ways: out.ways * into.ways });
      }
    }
  }
}

/** A round that must take something. */
const filled = (part: Part): Part => ({ ...part, empty: [] });
