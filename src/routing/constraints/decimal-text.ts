/**
 * Which texts are decimal numbers of 28 to 29 digits (reference C.4).
 *
 *     decimal := blank* ( sign body | body ( blank* sign )? ) blank*
 *     body    := digit ( digit | "," )* ( "." digit* )?  |  "." digit+
 *     blank   := U+0009–U+000D | U+0020; U+0000 may follow
 *
 * Commas may stand anywhere behind the first digit and before the point, `1,,0` included. No exponent. Beyond ±(2^96 - 1) after
 * rounding is a refusal, excess digits of the fraction are not.
 */
const DECIMAL = /^[\t-\r ]*([+-]?)(?:(\d[\d,]*)(?:\.(\d*))?|\.(\d+))(?:[\t-\r ]*([+-]))?[\t-\r ]*\0*$/;
const MOST = 2n ** 96n - 1n;

/** Is this a decimal number in range? */
export function isDecimal(text: string): boolean {
  const found = DECIMAL.exec(text);
  if (!found || (found[1] !== '' && found[5] !== undefined)) return false;
  const whole = (found[2] ?? '').replaceAll(',', '').replace(/^0+/, '');
  if (whole.length !== 29) return whole.length < 29;
  // The one length at which the limit is; what follows the point decides only about rounding up.
  const value = BigInt(whole);
  return value < MOST || (value === MOST && !((found[3] ?? '').charCodeAt(0) >= 53));
}
