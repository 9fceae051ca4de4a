/**
 * Decides which values are whole numbers (reference C.1, C.2; D29).
 *
 *     integer := blank* sign? digit+ blank* U+0000*       blank := U+0009–U+000D | U+0020
 *
 * `Number` cannot be used: it accepts `1e3`, `0x10` and the empty text, and rounds what is longer than 53 bits.
 */
const INTEGER = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*\0*$/;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const MAX_LONG_DIGITS = 19;

/** The value of a text that is a whole number of at most 64 bits, else undefined. */
export function integerOf(text: string): bigint | undefined {
  const found = INTEGER.exec(text);
  if (!found) return undefined;
  const digits = found[2]!.replace(/^0+(?=\d)/, '');
  if (digits.length > MAX_LONG_DIGITS) return undefined;
  const value = BigInt(digits) * (found[1] === '-' ? -1n : 1n);
  return value >= MIN_LONG && value <= MAX_LONG ? value : undefined;
}

/** Is this text a whole number of 64 bits? */
export const isLong = (text: string): boolean => integerOf(text) !== undefined;

/** Is this text a whole number of 32 bits? */
export function isInt(text: string): boolean {
  const value = integerOf(text);
  return value !== undefined && value >= -2147483648n && value <= 2147483647n;
}
