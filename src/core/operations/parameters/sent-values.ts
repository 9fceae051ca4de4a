/** Groups what a client sends by the names that are declared. */
import { propertyLookup } from '../schema/property-naming.ts';

/**
 * Makes a function that groups values by declared name, in the order in which they were sent. Names ignore case, as the
 * members of a body do (D1); others are left out.
 */
export function groupedBy(names: readonly string[]) {
  const lookUp = propertyLookup(names);
  return <Value>(sent: Iterable<readonly [name: string, value: Value]>): ReadonlyMap<string, readonly Value[]> => {
    const groups = new Map<string, Value[]>();
    for (const [written, value] of sent) {
      const at = lookUp(written);
      if (at === undefined) continue;
      const name = names[at]!;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [value]);
      else group.push(value);
    }
    return groups;
  };
}
