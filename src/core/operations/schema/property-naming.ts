/**
 * Decides how a property is spelled in JSON, and which property a received name means (D1).
 *
 * One setting gives the spelling in payloads and in the description. Received names are matched ignoring case: `key`,
 * `Key` and `KEY` are one property.
 */

/** The spelling in JSON: `camelCase` (the default) or `PascalCase`. */
export type PropertyNaming = 'camelCase' | 'PascalCase';

/** Returns the spelling in JSON of a property that the code calls `name`. */
export const wireName = (name: string, naming: PropertyNaming): string =>
  naming === 'PascalCase' ? name.slice(0, 1).toUpperCase() + name.slice(1) : name;

/** Returns the index of the property that a received name means, or undefined for an unknown name. */
export type PropertyLookup = (name: string) => number | undefined;

/**
 * Compiles the look-up in `names`, the spellings in JSON. An exact match needs no case folding.
 * Throws a SyntaxError if two names differ only in case.
 */
export function propertyLookup(names: readonly string[]): PropertyLookup {
  const exact = new Map<string, number>();
  const folded = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const other = folded.get(name.toLowerCase());
    if (other !== undefined) {
      throw new SyntaxError(
        `Cannot tell the properties "${names[other]}" and "${name}" apart: names are matched ignoring case; rename one`,
      );
    }
    exact.set(name, index);
    folded.set(name.toLowerCase(), index);
  }
  return (name) => {
    const index = exact.get(name);
    if (index !== undefined) return index;
    const candidate = folded.get(name.toLowerCase());
    // Lower case alone takes the Kelvin sign for a k; upper case alone takes the long s for an s.
    return candidate !== undefined && names[candidate]!.toUpperCase() === name.toUpperCase() ? candidate : undefined;
  };
}
