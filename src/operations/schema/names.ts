/**
 * Decides how a property is spelled in JSON, which property a received name means (D1), and what points to it.
 *
 * One setting gives the spelling in payloads and in the description. Received names are matched ignoring case: `key`,
 * `Key` and `KEY` are one property, and the last of them counts (D3).
 */

import type { Violation } from '../../core/message/reply.ts';

/** The spelling in JSON: `camelCase` (the default) or `PascalCase`. */
export type PropertyNaming = 'camelCase' | 'PascalCase';

/** Returns the spelling in JSON of a property that the code calls `name`. */
export const wireName = (name: string, naming: PropertyNaming): string =>
  naming === 'PascalCase' ? name.slice(0, 1).toUpperCase() + name.slice(1) : name;

/** Returns the index of the property that a received name means, or undefined for an unknown name. */
export type PropertyLookup = (name: string) => number | undefined;

/**
 * Compiles the look-up in `names`, the spellings in JSON. An exact match needs no case folding.
 * Throws a SyntaxError if two names differ only in case, where that is ignored.
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
    // Lower case alone takes the Kelvin sign for a k; upper case alone takes the long s for an s.
    return candidate !== undefined && names[candidate]!.toUpperCase() === name.toUpperCase() ? candidate : undefined;
  };
}

/** The token for a name in a JSON Pointer: `a/b` is written `a~1b`, `a~b` is `a~0b` (RFC 6901 §3, §4). */
export const escapeToken = (name: string): string =>
  name.includes('~') || name.includes('/') ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
export const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** A longer pointer, or name in one, is cut in the middle: a problem may have a hundred of them. */
const MAX_POINTER = 300;

/** The JSON Pointer (RFC 6901) of these names and indexes; of a long one the beginning and the end. */
export function pointerTo(path: readonly (string | number)[]): string {
  let pointer = '';
  for (const step of path) pointer += `/${typeof step === 'number' ? step : escapeToken(shortened(step))}`;
  return shortened(pointer);
}

const shortened = (text: string): string =>
  text.length <= MAX_POINTER ? text : `${text.slice(0, MAX_POINTER / 2)}…${text.slice(1 - MAX_POINTER / 2)}`;

/**
 * Returns the JSON Pointer (RFC 6901) of a property in the body `text`, which must be valid JSON. `path` has the names
 * of the code and the indexes of elements: `['lines', 0, 'count']`. Of duplicates, the last gives the spelling (D3). A
 * name that was not sent has the spelling of `naming`.
 */
export function sentPointer(text: string, path: readonly (string | number)[], naming: PropertyNaming): string {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  const value: unknown = JSON.parse(json);
  return pointerTo(spelledPath(value, path, naming, sentNames(json, value)));
}

/** The names that lead to a property of `root` as they were sent. `namesOf` are those of the whole body. */
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
    const sent = (namesOf.get(object) ?? Object.keys(object)).findLast((one) => lookUp(one) !== undefined) ?? name;
    value = Object.hasOwn(object, sent) ? object[sent] : undefined;
    return sent;
  });
}

/** The names in each object that has two of one spelling but for the case, repeated ones too. */
export type SentNames = ReadonlyMap<object, readonly string[]>;

const NUMBER = /-?\d[\d.e+-]*/iy;

/** An object or an array whose end is not read yet. `name` is that of the member that is read, or its index. */
interface Open {
  readonly value: unknown;
  readonly names: string[];
  name: string | number;
}

/**
 * Reads the names in a valid JSON text that was parsed to `root`, all in one walk. `JSON.parse` loses their order:
 * `{"name":1,"NAME":2,"name":3}` gives the keys `name`, `NAME`, so the last duplicate is unknown. `tellNumber` is
 * called with each number as it was sent, and a function that returns the names and indexes that lead to it.
 */
export function sentNames(
  text: string,
  root: unknown,
  tellNumber?: (sent: string, path: () => (string | number)[]) => void,
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
        // Of a repeated name, JSON.parse has the last value: what is found of others is replaced later.
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
        if (tellNumber === undefined || !NUMBER.test(text)) break;
        tellNumber(text.slice(at, NUMBER.lastIndex), () => [...outer, open].slice(1).map(({ name }) => name));
        at = NUMBER.lastIndex - 1;
    }
  }
  return found as SentNames;
}

/**
 * Would this number, as it was sent, be stored as another one? Only numbers beyond 2^53 are rounded. A number is not
 * rounded if JavaScript writes its double with the same digits: clients send back what they have read. With an
 * exponent, such as 9.9999999999999992e22, only the digits that were sent count.
 */
export function isRounded(sent: string): boolean {
  const value = Number(sent);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return false;
  const digits = digitsOf(sent);
  if (digits === digitsOf(String(value))) return false;
  // `toPrecision` takes no more than a hundred.
  return !/e/i.test(sent) || digits.length > 100 || digitsOf(value.toPrecision(digits.length)) !== digits;
}

/**
 * The digits of a number without its exponent and without zeros at both ends. The expression looks for zeros at the end
 * from the first zero of a row only: from each zero, it takes 12 s for a number with 100,000 zeros inside.
 */
const digitsOf = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|(?<!0)0+$/g, '');

/**
 * A shorter number is not rounded, except `1e999`, which has a wrong type. The class is repeated because `[\d.]{16}`
 * takes 0.09 ms in place of 0.01 for a text of 108 kB, a tenth of its PUT.
 */
const HAS_MANY_DIGITS = new RegExp('[\\d.]'.repeat(16));
/** The beginning of a number that may be rounded: a long one, or one with an exponent. */
const HAS_LARGE_NUMBER = /(?:^|[\s:,[])-?\d(?:\d{15}|(?=([\d.]*))\1e[+\d])/i;
/** Limits the violations, and the names in the pointers of rounded numbers: those of numbers deep inside take time. */
const MAX_TOLD = 100;

/**
 * The violations of a body, those of its numbers that would be stored as other numbers first. `text` is valid JSON that
 * was parsed to `root`. `told` is what else is wrong.
 */
export function withRounded(told: readonly Violation[], text: string, root: unknown): readonly Violation[] {
  if (!HAS_MANY_DIGITS.test(text) || !HAS_LARGE_NUMBER.test(text)) return told;
  const rounded = new Map<string, Violation>();
  let left = MAX_TOLD;
  sentNames(text, root, (sent, pathOf) => {
    if (left <= 0 || !isRounded(sent)) return;
    const path = pathOf();
    left -= path.length + 1;
    const pointer = pointerTo(path);
    rounded.set(pointer, { pointer, detail: DETAIL });
  });
  return [...rounded.values(), ...told.filter(({ pointer }) => !rounded.has(pointer!))].slice(0, MAX_TOLD);
}
const DETAIL = `Expected a number that is not rounded; integers up to ${Number.MAX_SAFE_INTEGER} are not`;
