/**
 * Which property a member of a body means: names are matched ignoring case (D1), so `key`, `Key` and `KEY` are one.
 *
 * Two names are the same when they are alike in lower case and in upper case: lower case alone would take the Kelvin
 * sign for a `k`, upper case alone the long s for an `s`.
 */

/** Finds the position of the property that a member's name means, or undefined for an unknown name. */
export type MemberNames = (name: string) => number | undefined;

/**
 * Compiles the look-up. `names` are the spellings on the wire, which are found first and without folding. Throws a SyntaxError
 * for two that differ only in case.
 */
export function memberNames(names: readonly string[]): MemberNames {
  const exact = new Map<string, number>(),
    folded = new Map<string, number>();
  for (const [position, name] of names.entries()) {
    const twin = folded.get(name.toLowerCase());
    if (twin !== undefined) {
      throw new SyntaxError(
        `Cannot tell the properties "${names[twin]}" and "${name}" apart: names are matched ignoring case; rename one`,
      );
    }
    exact.set(name, position);
    folded.set(name.toLowerCase(), position);
  }
  return (name) => {
    const position = exact.get(name);
    if (position !== undefined) return position;
    const candidate = folded.get(name.toLowerCase());
    return candidate !== undefined && names[candidate]!.toUpperCase() === name.toUpperCase() ? candidate : undefined;
  };
}
