/**
 * Which texts are whole numbers (reference C.1, C.2; D29).
 *
 *     integer := blank* sign? digit+ blank*        blank := U+0009–U+000D | U+0020; U+0000 may follow
 *
 * `Number` is not it: it takes `1e3`, `0x10` and the empty text, and rounds what is longer than 53 bits.
 */
const INTEGER = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*\0*$/;

const LEAST_LONG = -(2n ** 63n),
  MOST_LONG = 2n ** 63n - 1n;

/** The value of a text that is a whole number of at most 64 bits, else undefined. */
export function integerOf(text: string): bigint | undefined {
  const found = INTEGER.exec(text);
  if (!found) return undefined;
  const digits = found[2]!.replace(/^0+(?=\d)/, '');
  if (digits.length > 19) return undefined; // more than any number of 64 bits has
  const value = BigInt(digits) * (found[1] === '-' ? -1n : 1n);
  return value >= LEAST_LONG && value <= MOST_LONG ? value : undefined;
}

/** 64 bits. */
export const isLong = (text: string): boolean => integerOf(text) !== undefined;

/** 32 bits. */
export function isInt(text: string): boolean {
  const value = integerOf(text);
  return value !== undefined && value >= -2147483648n && value <= 2147483647n;
}
