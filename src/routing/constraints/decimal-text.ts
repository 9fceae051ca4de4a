/**
 * Decides which values are decimal numbers of 28 to 29 digits (reference C.4).
 *
 *     decimal := blank* ( sign body | body ( blank* sign )? ) blank* U+0000*
 *     body    := digit ( digit | "," )* ( "." digit* )?  |  "." digit+
 *     blank   := U+0009–U+000D | U+0020
 *
 * Commas may stand anywhere between the first digit and the point, as in `1,,0`. There is no exponent. A number beyond
 * ±(2^96 - 1) after rounding is refused. Excess digits of the fraction are not.
 */
const DECIMAL = /^[\t-\r ]*([+-]?)(?:(\d[\d,]*)(?:\.(\d*))?|\.(\d+))(?:[\t-\r ]*([+-]))?[\t-\r ]*\0*$/;
const MAX = 2n ** 96n - 1n;

/** Is this text a decimal number in range? */
export function isDecimal(text: string): boolean {
  const found = DECIMAL.exec(text);
  if (!found || (found[1] !== '' && found[5] !== undefined)) return false;
  const whole = (found[2] ?? '').replaceAll(',', '').replace(/^0+/, '');
  if (whole.length !== 29) return whole.length < 29;
  // The limit has 29 digits. The first digit after the point decides whether the number is rounded up.
  const value = BigInt(whole);
  return value < MAX || (value === MAX && (found[3] ?? '') < '5');
}
