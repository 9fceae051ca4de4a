/**
 * Converts the names of properties between the code and JSON (D1), and creates JSON Pointers to properties.
 *
 * One setting selects the spelling in JSON bodies and in the description. In a body from a client, case is ignored:
 * `key`, `Key` and `KEY` are the same property, and the last of them wins (D3).
 */
import type { Violation } from '../../core/message/reply.ts';

/** The spelling in JSON: `camelCase` (the default) or `PascalCase`. */
export type PropertyNaming = 'camelCase' | 'PascalCase';

/** Returns the spelling in JSON of a property that the code calls `name`. */
export const wireName = (name: string, naming: PropertyNaming): string =>
  naming === 'PascalCase' ? name.slice(0, 1).toUpperCase() + name.slice(1) : name;

/** Returns the index of the property with a received name; undefined for an unknown name. */
export type PropertyLookup = (name: string) => number | undefined;

/**
 * Returns a function that looks up a name in `names`, which have the spelling in JSON. It tries an exact match first,
 * because that is faster. Throws a `SyntaxError` if case is ignored and two names differ only in case.
 */
export function propertyLookup(names: readonly string[], ignoresCase = true): PropertyLookup {
  const exact = new Map(names.map((name, index) => [name, index]));
  if (!ignoresCase) return (name) => exact.get(name);
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
    const index = exact.get(name);
    if (index !== undefined) return index;
    const candidate = folded.get(name.toLowerCase());
    // The Kelvin sign becomes "k" in lower case, and the long s becomes "S" in upper case. So both cases must match.
    return candidate !== undefined && names[candidate]!.toUpperCase() === name.toUpperCase() ? candidate : undefined;
  };
}

/** Returns the token for a name in a JSON Pointer: `a/b` becomes `a~1b`, `a~b` becomes `a~0b` (RFC 6901 §3, §4). */
export const escapeToken = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * The maximum lengths of a pointer and of a name in it. Longer texts are cut: a problem may have a hundred pointers.
 */
const MAX_POINTER = 300;

/** Returns the JSON Pointer (RFC 6901) of these names and indexes. Cuts a long pointer in the middle. */
export function pointerTo(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const step of path) pointer += `/${typeof step === 'number' ? step : escapeToken(shortened(step))}`;
  return shortened(pointer);
}

const shortened = (text: string): string =>
  text.length <= MAX_POINTER ? text : `${text.slice(0, MAX_POINTER / 2)}…${text.slice(1 - MAX_POINTER / 2)}`;

/**
 * Returns the JSON Pointer (RFC 6901) of a property in the body `text`, which must be valid JSON. `path` has the names
 * of the code and the indexes of elements: `['lines', 0, 'count']`. The names in the pointer are spelled as in the
 * body. If the body repeats a name, the last spelling is used (D3). If a name is not in the body, it is spelled
 * according to `naming`.
 */
export function sentPointer(text: string, path: readonly (string | number)[], naming: PropertyNaming): string {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  const value: unknown = JSON.parse(json);
  return pointerTo(spelledPath(value, path, naming, sentNames(json, value)));
}

/** Returns the names that lead to a property of `root`, as they were sent. `namesOf` is from `sentNames`. */
export function spelledPath(
  root: unknown,
  path: readonly (string | number)[],
  naming: PropertyNaming,
  namesOf: SentNames,
): string[] {
  let value = root;
  return path.map((step) => {
    const object = Object(value) as Readonly<Record<string, unknown>>;
    const name = typeof step === 'number' ? String(step) : wireName(step, naming);
    const lookUp = propertyLookup([name]);
    const sent = (namesOf.get(object) ?? Object.keys(object)).findLast((key) => lookUp(key) !== undefined) ?? name;
    value = Object.hasOwn(object, sent) ? object[sent] : undefined;
    return sent;
  });
}

/** The names in each object that repeats a name, also in another case. The names are in the order of the text. */
export type SentNames = ReadonlyMap<object, readonly string[]>;

const NUMBER = /-?\d[\d.e+-]*/iy;

/** An object or array whose end has not been read yet. `name` is the name or index of the current member. */
interface Open {
  readonly value: unknown;
  readonly names: string[];
  name: string | number;
}

/**
 * Reads the names in a valid JSON text, which was parsed to `root`. The order of the names in `root` can differ: from
 * `{"name":1,"NAME":2,"name":3}`, `JSON.parse` creates the keys `name` and `NAME`, although `name` is last in the text.
 * Calls `onNumber` with the text of each number, and with a function that returns the names and indexes that lead to
 * the number.
 */
export function sentNames(
  text: string,
  root: unknown,
  onNumber?: (sent: string, path: () => (string | number)[]) => void,
): SentNames {
  const found = new Map<unknown, readonly string[]>();
  const outer: Open[] = [];
  let open: Open = { value: [root], names: [], name: 0 };
  let textStart = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        textStart = at;
        for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        break;
      case ':':
        open.names.push((open.name = JSON.parse(text.slice(textStart, at)) as string));
        break;
      case ',':
        if (typeof open.name === 'number') open.name += 1;
        break;
      case '{':
      case '[': {
        // For a repeated name, `JSON.parse` keeps the last value, so the names of that value replace earlier names.
        const value = (open.value as Readonly<Record<string, unknown>> | null | undefined)?.[open.name];
        outer.push(open);
        open = { value, names: [], name: text[at] === '[' ? 0 : '' };
        break;
      }
      case '}':
      case ']': {
        const { value, names } = open;
        const hasDuplicates = new Set(names.map((name) => name.toLowerCase())).size < names.length;
        if (hasDuplicates) found.set(value, names);
        else found.delete(value);
        open = outer.pop()!;
        break;
      }
      default:
        NUMBER.lastIndex = at;
        if (onNumber === undefined || !NUMBER.test(text)) break;
        onNumber(text.slice(at, NUMBER.lastIndex), () => [...outer, open].slice(1).map(({ name }) => name));
        at = NUMBER.lastIndex - 1;
    }
  }
  return found as SentNames;
}

/**
 * Returns whether a number beyond 2^53 loses digits when it is parsed. Returns false if JavaScript writes the parsed
 * number with the same digits, because clients send back the numbers that they read. For a number with an exponent,
 * such as 9.9999999999999992e22, compares only as many digits as were sent. Returns false for smaller numbers: a
 * fraction may be rounded to the nearest double (D3).
 */
export function isRounded(sent: string): boolean {
  const value = Number(sent);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const digits = digitsOf(sent);
  if (digits === digitsOf(String(value))) return false;
  // `toPrecision` allows at most a hundred digits.
  return !/e/i.test(sent) || digits.length > 100 || digitsOf(value.toPrecision(digits.length)) !== digits;
}

/**
 * Returns the digits of a number without the exponent and without zeros at both ends. The look-behind lets a match
 * start only at the first of several zeros. Without the look-behind, a number with 100,000 zeros inside takes 12 s.
 */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|(?<!0)0+$/g, '');

/**
 * Matches a text with a long number. Shorter numbers are not rounded, except numbers such as `1e999`, which have a
 * wrong type anyway. The class is repeated because `[\d.]{16}` is slower: for a text of 108 kB it takes 0.09 ms, a
 * tenth of the PUT, instead of 0.01 ms.
 */
const HAS_MANY_DIGITS = new RegExp('[\\d.]'.repeat(16));
/** Matches the beginning of a number that may be rounded, because it has many digits or an exponent. */
const HAS_LARGE_NUMBER = /(?:^|[\s:,[])-?\d(?:\d{15}|(?=([\d.]*))\1e[+\d])/i;
/**
 * The maximum number of violations, and of names in all pointers of rounded numbers, because long pointers take time.
 */
const MAX_VIOLATIONS = 100;

/**
 * Adds a violation for each rounded number in a body, in front of the other `violations`. `text` is valid JSON, which
 * was parsed to `root`.
 */
export function withRounded(violations: readonly Violation[], text: string, root: unknown): readonly Violation[] {
  if (!HAS_MANY_DIGITS.test(text) || !HAS_LARGE_NUMBER.test(text)) return violations;
  const rounded = new Map<string, Violation>();
  let left = MAX_VIOLATIONS;
  sentNames(text, root, (sent, pathOf) => {
    if (left <= 0 || !isRounded(sent)) return;
    const path = pathOf();
    left -= path.length + 1;
    const pointer = pointerTo(path);
    rounded.set(pointer, { pointer, detail: DETAIL });
  });
  return [...rounded.values(), ...violations.filter(({ pointer }) => !rounded.has(pointer!))].slice(0, MAX_VIOLATIONS);
}
const DETAIL = `Expected a number that is not rounded; integers up to ${Number.MAX_SAFE_INTEGER} are not`;
