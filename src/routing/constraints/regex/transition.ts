/** Combines the guards of transitions: the characters that must stand before and after a place in the text. */

/** Says that an expression has too many states or transitions to be analysed while a route is added. */
export class TooComplex extends Error {}

/** A condition to pass a place without taking a character. `\b|` has two; one is met only at the end of a word. */
export interface Guard {
  /** The set of characters that may stand before the place. */
  readonly before: bigint;
  /** The set of characters that may stand after it. */
  readonly after: bigint;
  /** The number of ways with these sets. */
  readonly ways: number;
}

/** A guarded way into a state, or out of it. The state takes `after` on the way in, `before` on the way out. */
export interface Transition extends Guard {
  readonly state: number;
}

/** Two guards at one place as a transition of a state, or none where no character passes both. */
export function combined(one: Guard, other: Guard, state: number): Transition[] {
  const before = one.before & other.before;
  const after = one.after & other.after;
  return before === 0n || after === 0n ? [] : [{ state, before, after, ways: one.ways * other.ways }];
}

const MAX_GUARDS = 16;

/** The guards without duplicates, whose ways are added. The guards above the maximum are merged with the first one. */
export function merged(guards: readonly Guard[]): readonly Guard[] {
  const kept: Guard[] = [];
  for (const { before, after, ways } of guards) {
    const same = kept.findIndex((guard) => before === guard.before && after === guard.after);
    const at = same < 0 && kept.length < MAX_GUARDS ? kept.length : Math.max(same, 0);
    const guard = kept[at] ?? { before: 0n, after: 0n, ways: 0 };
    kept[at] = { before: guard.before | before, after: guard.after | after, ways: guard.ways + ways };
  }
  return kept;
}
