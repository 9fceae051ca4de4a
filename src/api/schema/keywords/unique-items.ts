/** Checks `uniqueItems`, in a time that grows with the length of the array, and not with its square. */

/** Values that differ only below this depth count as equal: the stack of the engine has an end. */
const MAX_DEPTH = 500;

/** Returns the index of the first item that equals an earlier one, or undefined. Order of members does not count. */
export function firstRepeated(items: readonly unknown[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const text = canonical(item, 0);
    if (seen.has(text)) return index;
    seen.add(text);
  }
  return undefined;
}

/** The JSON text of a value with its members sorted by name. */
function canonical(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member, depth + 1)}`).join()}}`;
}
