/** In how many ways can nothing be read, and between which characters? `\b|` can be passed in two, one of them only at a word's end. */

/** A way past a part that takes nothing: between which characters, and how many alike there are. */
export interface Gate {
  readonly before: bigint;
  readonly after: bigint;
  readonly ways: number;
}

/** A way into a part, or out of it. Into: `after` is what its position takes. Out of it: `before` is. */
export interface Door extends Gate {
  readonly position: number;
}

/** One gate behind another, with nothing between: none where no character can pass both. */
export function passed(one: Gate, other: Gate, position: number): Door[] {
  const before = one.before & other.before,
    after = one.after & other.after;
  return before === 0n || after === 0n ? [] : [{ position, before, after, ways: one.ways * other.ways }];
}

const MAX_GATES = 16;

/** Gates that are alike as one; where there would be many, further ones are taken to be like the first. */
export function merged(gates: readonly Gate[]): readonly Gate[] {
  const kept: Gate[] = [];
  for (const { before, after, ways } of gates) {
    const alike = kept.findIndex((gate) => before === gate.before && after === gate.after),
      at = Math.max(alike, 0),
      like = kept[at];
    if (alike < 0 && kept.length < MAX_GATES) kept.push({ before, after, ways });
    else kept[at] = { before: like!.before | before, after: like!.after | after, ways: like!.ways + ways };
  }
  return kept;
}
