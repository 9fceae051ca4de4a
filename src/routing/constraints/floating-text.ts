/**
 * Which texts are floating-point numbers (reference C.5).
 *
 *     floating := blank* sign? body exponent? blank*  |  space* ( "Infinity" | "-Infinity" | "NaN" ) space*
 *     body     := digit ( digit | "," )* ( "." digit* )?  |  "." digit+
 *     exponent := ( "e" | "E" ) sign? digit+
 *     blank    := U+0009–U+000D | U+0020               space := any Unicode white space
 *
 * A number that is too large is refused; one too small is zero and fine.
 */
const FLOATING = /^[\t-\r ]*([+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)[\t-\r ]*\0*$/i;
const SYMBOL = /^(?:-?Infinity|NaN)$/;

/** Is this a number of 64 bits (`double`)? */
export function isDouble(text: string): boolean {
  const found = FLOATING.exec(text);
  return found ? Number.isFinite(valueOf(found[1]!)) : SYMBOL.test(trimmed(text));
}

/** Is this a number of 32 bits (`float`)? */
export function isFloat(text: string): boolean {
  const found = FLOATING.exec(text);
  return found ? Number.isFinite(Math.fround(valueOf(found[1]!))) : SYMBOL.test(trimmed(text));
}

const valueOf = (digits: string): number => Number(digits.replaceAll(',', ''));

/** Without white space at both ends: U+0085 is one here and none to `trim`, U+FEFF the other way round. */
export function trimmed(text: string): string {
  let from = 0,
    to = text.length;
  while (from < to && isSpace(text[from]!)) from++;
  while (to > from && isSpace(text[to - 1]!)) to--;
  return text.slice(from, to);
}

/** Is this character Unicode white space? */
export const isSpace = (character: string): boolean =>
  character === '\x85' || (character !== '\ufeff' && character.trim() === '');
