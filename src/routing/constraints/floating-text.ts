/**
 * Decides which values are floating-point numbers (reference C.5).
 *
 *     floating := blank* sign? body exponent? blank* U+0000*  |  space* ( "Infinity" | "-Infinity" | "NaN" ) space*
 *     body     := digit ( digit | "," )* ( "." digit* )?  |  "." digit+
 *     exponent := ( "e" | "E" ) sign? digit+
 *     blank    := U+0009–U+000D | U+0020               space := any Unicode white space
 *
 * A number that is too large is refused. A number that is too small counts as zero.
 */
import { trimWhiteSpace } from '../text/white-space.ts';

const FLOATING = /^[\t-\r ]*([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*\0*$/i;
const SYMBOL = /^(?:-?Infinity|NaN)$/;

/** Is this text a number of 64 bits (`double`)? */
export const isDouble = (text: string): boolean => Number.isFinite(valueOf(text));

/** Is this text a number of 32 bits (`float`)? */
export const isFloat = (text: string): boolean => Number.isFinite(Math.fround(valueOf(text)));

/** The value of a number, 0 for a symbol, `NaN` for any other text. */
function valueOf(text: string): number {
  const found = FLOATING.exec(text);
  if (found) return Number(found[1]!.replaceAll(',', ''));
  return SYMBOL.test(trimWhiteSpace(text)) ? 0 : NaN;
}
