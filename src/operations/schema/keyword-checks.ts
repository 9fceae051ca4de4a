/** Compiles the type and the other keywords of a schema to checks of one value. */
import { isIPv6 } from 'node:net';
import { expected, type Flaw, otherThan } from './faults.ts';
import { type Formats, formatCheck, type Schema } from './schema.ts';

const isInt32 = (value: unknown): boolean => value === ((value as number) | 0);

/**
 * Returns the type of a scalar: the result of `typeof`, and for a number a further condition. A number beyond the range of a double, such as `1e999`, has a wrong type. So have, for
 * an integer, `1.5` and, in a body, a number beyond 2^53, such as `1e20` (D3).
 */
export function scalarType(
  { type = 'string', format }: Schema,
  isBody = false,
): { readonly kind: string; readonly fits?: (value: unknown) => boolean } {
  if (type === 'number') return { kind: 'number', fits: Number.isFinite };
  if (type !== 'integer') return { kind: type };
  return { kind: 'number', fits: format === 'int32' ? isInt32 : isBody ? Number.isSafeInteger : Number.isInteger };
}

/** Returns undefined if the value matches the keyword, else what is wrong with it. */
export type KeywordCheck = (value: unknown) => Flaw | undefined;

/**
 * Yields the checks of a schema. Call them with a value of the right type that is not null. If `isForm` is true, a CRLF
 * has the length 1, because a text field counts a line break as one character and sends it as CRLF (D128). Throws a
 * `SyntaxError` if the `pattern` does not compile.
 */
export function* keywordChecks(schema: Schema, isForm = false): Generator<KeywordCheck> {
  const { type = '', format = '', minLength, maxLength, pattern, multipleOf, minItems, maxItems, uniqueItems } = schema;
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  if (allowed !== undefined) {
    const set = new Set<unknown>(allowed);
    yield check((value) => set.has(value), otherThan(allowed, schema.const === undefined ? 'enum' : 'const'));
  }
  // `scalarType` already checks the format `int32`.
  const isFormat = format === 'int32' ? undefined : (schema[formatCheck] ?? FORMATS[type]?.[format]);
  if (isFormat !== undefined) yield check(isFormat, expected('format', format, `the format ${format}`));
  if (minLength !== undefined || maxLength !== undefined) yield lengthCheck(isForm, minLength, maxLength);
  if (pattern !== undefined) yield patternCheck(pattern, isForm, maxLength);
  for (const [keyword, words, fits] of LIMITS) {
    const limit = schema[keyword];
    if (limit !== undefined)
      yield check((value: number) => fits(value, limit), expected(keyword, limit, `${words} ${limit}`));
  }
  if (multipleOf !== undefined)
    yield check(multipleCheck(multipleOf), expected('multipleOf', multipleOf, `a multiple of ${multipleOf}`));
  if (minItems !== undefined || maxItems !== undefined)
    yield (value) => countFlaw((value as readonly unknown[]).length, 'Items', minItems, maxItems);
  if (uniqueItems) yield (value) => repeatedFlaw(value as readonly unknown[]);
}

/** A custom format may return a text, which becomes the detail. */
const check =
  (fits: (value: any) => boolean | string, flaw: Flaw): KeywordCheck =>
  (value) => {
    const answer = fits(value);
    if (typeof answer === 'string' && answer !== '') return { ...flaw, detail: answer };
    return answer ? undefined : flaw;
  };

const LIMITS = [
  ['minimum', 'at least', (value: number, limit: number) => value >= limit],
  ['maximum', 'at most', (value: number, limit: number) => value <= limit],
  ['exclusiveMinimum', 'more than', (value: number, limit: number) => value > limit],
  ['exclusiveMaximum', 'less than', (value: number, limit: number) => value < limit],
] as const;

/** Returns a check of a length in code points. */
const lengthCheck =
  (isForm: boolean, least = 0, most = Infinity): KeywordCheck =>
  (value) => {
    const text = isForm ? (value as string).replaceAll('\r\n', '\n') : (value as string);
    let count = 0;
    for (const _ of text) count += 1;
    return countFlaw(count, 'Length', least, most);
  };

function countFlaw(count: number, what: 'Length' | 'Items', least = 0, most = Infinity): Flaw | undefined {
  const units = what === 'Items' ? 'items' : 'characters';
  if (count < least) return expected(`min${what}`, least, `${least} or more ${units}, not ${count}`);
  return count > most ? expected(`max${what}`, most, `${most} or fewer ${units}, not ${count}`) : undefined;
}

/** Returns a check of a pattern. It skips a text longer than `maxLength`, because the search could take too long. */
function patternCheck(pattern: string, isForm: boolean, maxLength: number | undefined): KeywordCheck {
  const expression = new RegExp(pattern, 'u');
  const lengthFlaw = lengthCheck(isForm, 0, maxLength);
  const flaw = expected('pattern', pattern, `the pattern ${pattern}`);
  return check((value) => lengthFlaw(value) !== undefined || expression.test(value), flaw);
}

export const FACTORS = 'a number from 1e-9 to 1e15 with at most nine decimals';

export const isFactor = (value: unknown): boolean =>
  typeof value === 'number' && value > 0 && value <= 1e15 && Number(value.toFixed(9)) === value;

/**
 * Returns a function that checks whether a finite number is a multiple of `factor`. It counts in units of the last
 * decimal place of the factor, because 0.3 / 0.1 is 2.9999999999999996 in JavaScript. `isFactor` must be true for the
 * factor.
 */
export function multipleCheck(factor: number): (value: number) => boolean {
  const places = factor.toFixed(9).replace(/0+$/, '').split('.')[1]!.length;
  const scale = 10 ** places;
  const factorUnits = unitsOf(factor, places);
  const step = Number(factorUnits);
  return (value) => {
    const count = Math.round(value * scale);
    if (Number.isSafeInteger(count)) return count / scale === value && count % step === 0;
    return Number(value.toFixed(places)) === value && unitsOf(value, places) % factorUnits === 0n;
  };
}

/** Returns a number with at most this number of decimal places as a count of units of the last place. */
const unitsOf = (value: number, places: number): bigint =>
  Number.isInteger(value) ? BigInt(value) * 10n ** BigInt(places) : BigInt(value.toFixed(places).replace('.', ''));

function repeatedFlaw(items: readonly unknown[]): Flaw | undefined {
  const found = new Set<unknown>();
  const repeated = items.findIndex((item) => found.size === found.add(item).size);
  const words = `items that differ; item ${repeated} repeats an earlier one`;
  return repeated < 0 ? undefined : expected('uniqueItems', true, words);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME = /^[t ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i;
/** The limit is 256 octets with the angle brackets (RFC 5321 §4.5.3.1.3). It also limits the time of the expression. */
const MAX_EMAIL = 254;

const PATH_CHARACTER = "(?:[\\w.~!$&'()*+,;=:@/-]|%[\\da-f]{2})";
const URI = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?://(?:(?:[\\w.~!$&'()*+,;=:-]|%[\\da-f]{2})*@)?(?:\\[([^\\]]*)\\]|(?:[\\w.~!$&'()*+,;=-]|%[\\da-f]{2})*)(?::\\d*)?(?=[/?#]|$)|(?!//))${PATH_CHARACTER}*(?:\\?(?:${PATH_CHARACTER}|\\?)*)?(?:#(?:${PATH_CHARACTER}|\\?)*)?$`,
  'i',
);

/**
 * The checks of the formats of each type. Formats of strings follow RFC 3339, 3986, 5321 and 9562. Formats of integers
 * check the range. `password`, `float` and `double` accept every value: they are hints for people and code generators.
 */
export const FORMATS: Readonly<Record<string, Readonly<Record<string, (value: any) => boolean>>>> = {
  string: {
    uuid: (text: string) => UUID.test(text),
    date: isDate,
    'date-time': (text: string) => isDate(text.slice(0, 10)) && TIME.test(text.slice(10)) && hasSecond(text),
    email: (text: string) => text.length <= MAX_EMAIL && EMAIL.test(text),
    uri: isUri,
    password: () => true,
  },
  integer: {
    int32: isInt32,
    // 2^63 itself is too large. The next smaller double is 2^63 - 1024.
    int64: (value: number) => value >= -(2 ** 63) && value < 2 ** 63,
  },
  number: { float: () => true, double: () => true },
} satisfies { readonly [Type in keyof Formats]: Readonly<Record<Formats[Type], unknown>> };

/** Returns whether a text is a day that exists. `Date` alone would turn the 30th of February into another day. */
function isDate(text: string): boolean {
  const day = Number(text.slice(8));
  return DATE.test(text) && (day <= 28 || new Date(text).getUTCDate() === day);
}

/** Returns whether the second is valid. Second 60 is valid only at the end of a day in UTC (RFC 3339 §5.7). */
function hasSecond(text: string): boolean {
  if (text.slice(17, 19) !== '60') return true;
  const offset = /z$/i.test(text) ? 'Z' : text.slice(-6);
  const minute = new Date(`${text.slice(0, 10)}T${text.slice(11, 16)}${offset}`);
  return minute.getUTCHours() === 23 && minute.getUTCMinutes() === 59;
}

/** Returns whether a text is a URI with a scheme (RFC 3986 §3). An IPv6 address must not have a zone. */
function isUri(text: string): boolean {
  const parts = URI.exec(text);
  if (parts === null) return false;
  const address = parts[1];
  return (
    address === undefined ||
    /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address) ||
    (!address.includes('%') && isIPv6(address))
  );
}
