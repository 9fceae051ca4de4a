/**
 * Converts the names of properties between the code and JSON (D1), and creates JSON Pointers to properties.
 *
 * One setting selects the spelling in JSON bodies and in the description. In a body from a client, case is ignored:
 * `key`, `Key` and `KEY` are the same property, and the last of them wins (D3).
 */

/** A name that a generated client can use: it begins with a letter. The client drops the other characters (D129). */
export const CLIENT_NAME = /^_*[A-Za-z][\w.-]*$/;

/** Returns what tells a name from others in a generated client, which drops ".", "_", "-" and often the case (D129). */
export const nameInClient = (name: string): string => name.replace(/[._-]/g, '').toLowerCase();

/** The spelling in JSON: `camelCase` (the default) or `PascalCase`. */
export type PropertyNaming = 'camelCase' | 'PascalCase';

/** Returns the spelling in JSON of a property that the code calls `name`. */
export const wireName = (name: string, naming: PropertyNaming): string =>
  naming === 'PascalCase' ? name.slice(0, 1).toUpperCase() + name.slice(1) : name;

/**
 * Returns a function that returns the index of a received name in `names`, which have the spelling in JSON, ignoring
 * case; undefined for an unknown name. Throws a `SyntaxError` if two names differ only in case.
 */
export function propertyLookup(names: readonly string[]): (name: string) => number | undefined {
  const folded = new Map<string, number>();
  for (const [index, name] of names.entries()) {
    const other = folded.get(name.toLowerCase());
    if (other !== undefined)
      throw new SyntaxError(
        `Cannot tell the properties "${names[other]}" and "${name}" apart: names are matched ignoring case; rename one`,
      );
    folded.set(name.toLowerCase(), index);
  }
  return (name) => {
    const candidate = folded.get(name.toLowerCase());
    // The Kelvin sign becomes "k" in lower case, and the long s becomes "S" in upper case. So both cases must match.
    return candidate !== undefined && names[candidate]!.toUpperCase() === name.toUpperCase() ? candidate : undefined;
  };
}

/** Returns the token for a name in a JSON Pointer: `a/b` becomes `a~1b`, `a~b` becomes `a~0b` (RFC 6901 §3, §4). */
const escapeToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The maximum length of a pointer, and of a name in it: a problem may have a hundred pointers. */
const MAX_POINTER = 300;

/** Returns the JSON Pointer (RFC 6901) of these names and indexes. Cuts a long pointer in the middle. */
export function pointerTo(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const step of path) pointer += `/${typeof step === 'number' ? step : escapeToken(shortened(step))}`;
  return shortened(pointer);
}

const shortened = (text: string): string =>
  text.length <= MAX_POINTER ? text : `${text.slice(0, MAX_POINTER / 2)}…${text.slice(1 - MAX_POINTER / 2)}`;

export const sentPointer = (text: string, name: string, naming: PropertyNaming): string =>
  pointerTo(sentPath(JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text), [name], naming));

/**
 * Returns the names that lead to a property of `root`, as they were sent. `path` has the names of the code and the
 * indexes of elements. Of several spellings of a name, the last in the order of `JSON.parse` counts (D3). A name that
 * was not sent is spelled according to `naming`.
 */
export function sentPath(root: unknown, path: readonly string[], naming: PropertyNaming): string[] {
  let value = root;
  return path.map((step) => {
    const object = Object(value) as Readonly<Record<string, unknown>>;
    const name = wireName(step, naming);
    const lookUp = propertyLookup([name]);
    const sent = Object.keys(object).findLast((key) => lookUp(key) !== undefined) ?? name;
    value = Object.hasOwn(object, sent) ? object[sent] : undefined;
    return sent;
  });
}
