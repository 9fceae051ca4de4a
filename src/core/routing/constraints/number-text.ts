/**
 * Decides which values are numbers: whole (reference C.1, C.2; D29), decimal (C.4) or floating-point (C.5).
 *
 *     integer  := blank* sign? digit+ blank* U+0000*
 *     decimal  := blank* ( sign body | body ( blank* sign )? ) blank* U+0000*
 *     floating := blank* sign? body exponent? blank* U+0000*  |  space* ( "Infinity" | "-Infinity" | "NaN" ) space*
 *     body     := digit ( digit | "," )* ( "." digit* )?  |  "." digit+         exponent := ( "e" | "E" ) sign? digit+
 *     blank    := U+0009–U+000D | U+0020                                        space    := any Unicode white space
 *
 * `Number` cannot be used for integers: it accepts `1e3`, `0x10` and the empty text, and rounds what is longer than 53
 * bits. Commas may stand anywhere between the first digit and the point, as in `1,,0`.
 */
import { trimWhiteSpace } from '../text/white-space.ts';

const INTEGER = /^[\t-\r ]*([+-]?)(\d+)[\t-\r ]*\0*$/;
const DECIMAL = /^[\t-\r ]*([+-]?)(?:(\d[\d,]*)(?:\.(\d*))?|\.(\d+))(?:[\t-\r ]*([+-]))?[\t-\r ]*\0*$/;
const FLOATING = /^[\t-\r ]*([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*\0*$/i;
const SYMBOL = /^(?:-?Infinity|NaN)$/;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const MAX_LONG_DIGITS = 19;
const MAX_DECIMAL = 2n ** 96n - 1n;

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

/** Is this text a decimal number within ±(2^96 - 1) after rounding? Excess digits of the fraction are accepted. */
export function isDecimal(text: string): boolean {
  const found = DECIMAL.exec(text);
  if (!found || (found[1] !== '' && found[5] !== undefined)) return false;
  const whole = (found[2] ?? '').replaceAll(',', '').replace(/^0+/, '');
  if (whole.length !== 29) return whole.length < 29;
  // The limit has 29 digits. The first digit after the point decides whether the number is rounded up.
  const value = BigInt(whole);
  return value < MAX_DECIMAL || (value === MAX_DECIMAL && (found[3] ?? '') < '5');
}

/** Is this text a number of 64 bits (`double`)? One that is too large is refused; one that is too small is zero. */
export const isDouble = (text: string): boolean => Number.isFinite(floatingOf(text));

/** Is this text a number of 32 bits (`float`)? */
export const isFloat = (text: string): boolean => Number.isFinite(Math.fround(floatingOf(text)));

/** The value of a number, 0 for a symbol, `NaN` for any other text. */
function floatingOf(text: string): number {
  const found = FLOATING.exec(text);
  if (found) return Number(found[1]!.replaceAll(',', ''));
  return SYMBOL.test(trimWhiteSpace(text)) ? 0 : NaN;
}

/** The value of a text that `isInt`, `isDecimal`, `isDouble` or `isFloat` accepts. */
export function numberOf(text: string): number {
  const [, digits, sign] = /^(.*?)([+-]?)$/.exec(text.replace(/[\s\0,]+/g, ''))!;
  return Number(sign! + digits!);
}
