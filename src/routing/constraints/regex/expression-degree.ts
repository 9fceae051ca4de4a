/**
 * With which power of its length does the number of ways to read a text grow? (D37)
 *
 * `a*a*` reads `aaaa` in five ways, one for each place where the first loop can end. Such loops are *linked*: over one text the first
 * comes back to itself, the first comes to the second, and the second comes back to itself. Each link in a chain multiplies the ways by
 * the length (A. Weber and H. Seidl, On the degree of ambiguity of finite automata, 1991). `a*b*` is no chain: no text leads from the
 * first loop to the second that both can take.
 *
 * All beginnings of a text count, because a matcher walks as far as it can, and so the cost is the length times that.
 */

import type { Automaton, Step } from './expression-automaton.ts';
import { Tokens } from './expression-tokens.ts';
import { components } from './strong-components.ts';
import { TooInvolved } from './too-involved.ts';

/** How the cost grows. */
export interface Growth {
  /** As `length^degree`; 0 where nothing is repeated without end. */
  readonly degree: number;
  /** Times so much, whatever the length: in how many ways one text can be read where no loop begins or ends. */
  readonly ways: number;
  /** How many characters a walk without loops takes at most. */
  readonly longest: number;
}

/** How the cost of an expression grows that is not exponential; `circles` as in `ambiguityOf`. */
export function growthOf({ steps }: Automaton, circles: readonly number[]): Growth {
  const loops = new Loops(steps, circles);
  // Circles are numbered from the end of the expression: what can be reached from one has a lower number.
  const members: number[][] = [];
  for (const [position, circle] of circles.entries()) (members[circle] ??= []).push(position);
  const links: number[] = [],
    ways: number[] = [];
  for (const [circle, positions] of members.entries()) {
    const leaving = positions.map((position) => steps[position]!.filter(({ to }) => circles[to] !== circle));
    const linked = links.map((count, other) => (loops.areLinked(circle, other) ? count + 1 : 0));
    const behind = leaving.flat().map(({ to }) => links[circles[to]!]!);
    links.push([...linked, ...behind].reduce((most, count) => Math.max(most, count), 0));
    ways.push(leaving.reduce((most, some) => Math.max(most, waysOf(some, ways, circles, loops)), 1));
  }
  const repeats = members.some((_, circle) => loops.positions(circle).length > 0);
  return { degree: repeats ? 1 + links[circles[0]!]! : 0, ways: ways[circles[0]!]!, longest: steps.length };
}

/** In how many ways one text can be read that begins with one of these steps, at most. */
function waysOf(some: readonly Step[], ways: readonly number[], circles: readonly number[], loops: Loops): number {
  let most = 0;
  for (let rest = some.reduce((set, step) => set | step.set, 0n); rest !== 0n; rest &= rest - 1n) {
    const kind = rest & -rest,
      possible = some.filter(({ set }) => (set & kind) !== 0n);
    let sum = possible.reduce((all, step) => all + step.ways * ways[circles[step.to]!]!, 0);
    // A loop that another one is linked to is entered from that one too, after no round of it: the degree has counted this way.
    const entered = new Set(possible.flatMap(({ to }) => (loops.positions(circles[to]!).length > 0 ? [to] : [])));
    for (const to of entered)
      if ([...entered].some((other) => loops.areLinked(circles[other]!, circles[to]!))) sum -= ways[circles[to]!]!;
    most = Math.max(most, sum);
  }
  return most;
}

/** The circles that are loops, and which of them are linked. */
class Loops {
  readonly #steps: Automaton['steps'];
  readonly #circles: readonly number[];
  readonly #round: Automaton['steps'];
  readonly #positions: number[][] = [];
  readonly #characters: bigint[] = [];
  readonly #linked = new Map<number, boolean>();

  constructor(steps: Automaton['steps'], circles: readonly number[]) {
    this.#steps = steps;
    this.#circles = circles;
    this.#round = steps.map((some, position) => some.filter(({ to }) => circles[to] === circles[position]));
    for (const [position, some] of this.#round.entries()) {
      const circle = circles[position]!;
      if (some.length > 0) (this.#positions[circle] ??= []).push(position);
      for (const { set } of some) this.#characters[circle] = (this.#characters[circle] ?? 0n) | set;
    }
  }

  /** The positions of a loop; none where a circle is a position that cannot follow itself. */
  positions(circle: number): readonly number[] {
    return this.#positions[circle] ?? [];
  }

  /** Is one loop linked to another behind it? Where that takes too long to tell, it is. */
  areLinked(one: number, other: number): boolean {
    if (other >= one || this.positions(one).length === 0 || this.positions(other).length === 0) return false;
    const key = one * this.#circles.length + other;
    let linked = this.#linked.get(key);
    if (linked === undefined) this.#linked.set(key, (linked = this.#ask(one, other)));
    return linked;
  }

  #ask(one: number, other: number): boolean {
    const both = this.#characters[one]! & this.#characters[other]!,
      reached = new Set(this.positions(one));
    if (both === 0n) return false;
    for (const position of reached)
      for (const { to, set } of this.#steps[position]!)
        if ((set & both) !== 0n && this.#circles[to]! >= other) reached.add(to);
    if (!this.positions(other).some((position) => reached.has(position))) return false;
    const between = this.#steps.map((some, position) =>
      reached.has(position) ? some.filter(({ to, set }) => (set & both) !== 0n && reached.has(to)) : [],
    );
    const tokens = new Tokens(this.#round, between, this.#round);
    for (const first of this.positions(one)) for (const last of this.positions(other)) tokens.at([first, first, last]);
    try {
      tokens.walk();
    } catch (error) {
      if (error instanceof TooInvolved) return true;
      throw error;
    }
    // From "one, other, other" back to "one, one, other": then the three walks over one text close a circle.
    const closing = tokens.places.map(([first, second, last]) =>
      second === last && this.#circles[first!] === one ? tokens.at([first!, first!, last!]) : -1,
    );
    const rings = components(tokens.places.length, (number) =>
      closing[number]! < 0 ? tokens.edges[number]! : [...tokens.edges[number]!, closing[number]!],
    );
    return closing.some((target, number) => target >= 0 && rings[target] === rings[number]);
  }
}
