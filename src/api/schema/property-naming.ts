/**
 * How a property is spelled on the wire, in payloads and description alike (D1).
 *
 * The samples of the specification say `Key`, its description `key`: one setting decides, and this is its one place.
 */

/** `camelCase` (the default) or `PascalCase`. */
export type PropertyNaming = 'camelCase' | 'PascalCase';

/** The spelling of a property that the code calls `name`. */
export const wireName = (name: string, naming: PropertyNaming): string =>
  naming === 'PascalCase' ? name.slice(0, 1).toUpperCase() + name.slice(1) : name;
