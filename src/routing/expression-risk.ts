/**
 * Can an expression backtrack without end? (D31)
 *
 * `(a+)+$` reads `aaaa!` in two to the fourth ways before it gives up: every `a` may belong to the inner loop's round or begin a new one
 * of the outer. So an expression is refused when a loop can come back to the same place over the same text in two ways. Loops that
 * merely follow each other, `a*a*`, cost a power of the length and are allowed: the length of a segment is limited.
 *
 * How it is found: each atom is a position, `follows` says which positions can come next, once for each way to get there. The
 * expression is a risk when two tokens that walk through the positions over the same text can part and meet again on a circle.
 */
import { components } from './components.ts';
import { expressionTree } from './expression-tree.ts';
import type { Tree } from './expression-tree.ts';

/** What is wrong with the expression, or undefined. `flags` are those it is used with. */
export function riskOf(source: string, flags: string): string | undefined {
  const trees = [expressionTree(source)];
  for (const tree of trees) {
    const positions = new Positions(flags.replace(/[gy]/g, ''), trees);
    positions.add(tree);
    const risk = positions.risk();
    if (risk !== undefined) return risk;
  }
  return undefined;
}

/** A repetition of more rounds than this is taken for one without end: it costs as much, and would be long to write out. */
const MANY = 6;
/** More steps than this and the expression is too involved to be vouched for. */
const LIMIT = 2_000_000;

const SAMPLE = Array.from({ length: 0x250 }, (_, unit) => String.fromCharCode(unit)).concat([
  '\u0416',
  '\u05d0',
  '\u2028',
  '\u4e2d',
  '\ufeff',
  '\u{1f600}',
  '\ud800',
]);

interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly empty: boolean;
}

class Positions {
  readonly #flags: string;
  readonly #looks: Tree[];
  readonly #texts: string[] = [];
  readonly #follows: Map<number, number>[] = [];
  readonly #sets = new Map<string, bigint>();
  #sample: readonly string[] | undefined;

  constructor(flags: string, looks: Tree[]) {
    this.#flags = flags;
    this.#looks = looks;
  }

  /** Adds the positions of a tree behind those that are there. */
  add(tree: Tree): Part {
    switch (tree.kind) {
      case 'nothing':
        return EMPTY;
      case 'look':
        this.#looks.push(tree.part);
        return EMPTY;
      case 'atom': {
        const position = this.#texts.push(tree.text) - 1;
        this.#follows.push(new Map());
        return { first: [position], last: [position], empty: false };
      }
      case 'choice': {
        const parts = tree.parts.map((part) => this.add(part));
        return {
          first: parts.flatMap((part) => part.first),
          last: parts.flatMap((part) => part.last),
          empty: parts.some((part) => part.empty),
        };
      }
      case 'sequence':
        return tree.parts.reduce<Part>((before, part) => this.#joined(before, this.add(part)), EMPTY);
      case 'repeat':
        return this.#repeated(tree.part, tree.least, tree.most);
    }
  }

  #repeated(tree: Tree, least: number, most: number): Part {
    if (most > MANY) {
      let all = EMPTY;
      for (let round = 1; round < Math.min(least, MANY); round++) all = this.#joined(all, this.add(tree));
      const part = this.add(tree);
      this.#link(part.last, part.first);
      return this.#joined(all, { ...part, empty: part.empty || least === 0 });
    }
    let all = EMPTY;
    for (let round = 0; round < most; round++) {
      const part = this.add(tree);
      all = this.#joined(all, round < least ? part : { ...part, empty: true });
    }
    return all;
  }

  #joined(before: Part, after: Part): Part {
    this.#link(before.last, after.first);
    return {
      first: before.empty ? [...before.first, ...after.first] : before.first,
      last: after.empty ? [...before.last, ...after.last] : after.last,
      empty: before.empty && after.empty,
    };
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const one of from) for (const next of to) this.#follows[one]!.set(next, (this.#follows[one]!.get(next) ?? 0) + 1);
  }

  /** What is wrong, or undefined. */
  risk(): string | undefined {
    const circles = components(this.#texts.length, (position) => [...this.#follows[position]!.keys()]);
    const next = this.#follows.map((follows, from) => [...follows].filter(([to]) => circles[to] === circles[from]));
    for (const ways of next)
      for (const [to, count] of ways) if (count > 1) return `"${this.#texts[to]}" is repeated in a repetition that it can begin and end`;
    // Pairs of positions that two tokens can be at over the same text.
    const size = this.#texts.length, numbers = new Map<number, number>(), pairs: number[] = [];
    const numberOf = (pair: number): number => {
      let number = numbers.get(pair);
      if (number === undefined) numbers.set(pair, (number = pairs.push(pair) - 1));
      return number;
    };
    for (let position = 0; position < size; position++) if (next[position]!.length > 0) numberOf(position * size + position);
    const edges: number[][] = [];
    let steps = 0;
    for (let number = 0; number < pairs.length; number++) {
      const one = Math.floor(pairs[number]! / size), other = pairs[number]! % size;
      const targets: number[] = (edges[number] = []);
      for (const [first] of next[one]!) {
        for (const [second] of next[other]!) {
          if (++steps > LIMIT) return 'it is too involved to tell how long it can take';
          if ((this.#set(first) & this.#set(second)) !== 0n) targets.push(numberOf(first * size + second));
        }
      }
    }
    const rings = components(pairs.length, (number) => edges[number]!);
    const home = new Set<number>();
    for (const [number, pair] of pairs.entries()) if (Math.floor(pair / size) === pair % size) home.add(rings[number]!);
    for (const [number, pair] of pairs.entries()) {
      const one = Math.floor(pair / size), other = pair % size;
      if (one !== other && home.has(rings[number]!))
        return `"${this.#texts[one]}" and "${this.#texts[other]}" can take the same text in one repetition`;
    }
    return undefined;
  }

  /** The characters of the sample that a position takes, one bit each. */
  #set(position: number): bigint {
    const text = this.#texts[position]!;
    let set = this.#sets.get(text);
    if (set === undefined) {
      const pattern = new RegExp(`^(?:${text})$`, this.#flags);
      this.#sample ??= [...new Set([...SAMPLE, ...this.#texts.join('')])];
      set = 0n;
      for (const [bit, character] of this.#sample.entries()) if (pattern.test(character)) set |= 1n << BigInt(bit);
      this.#sets.set(text, set);
    }
    return set;
  }
}

const EMPTY: Part = { first: [], last: [], empty: true };
