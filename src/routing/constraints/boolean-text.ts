/**
 * Which texts are booleans (reference C.6): `true` or `false` in any case, with any Unicode white space or U+0000 around.
 * `1`, `yes` and `on` are not.
 */
import { isSpace } from './floating-text.ts';

/** Is this a boolean? */
export function isBoolean(text: string): boolean {
  let from = 0,
    to = text.length;
  while (from < to && isPadding(text[from]!)) from++;
  while (to > from && isPadding(text[to - 1]!)) to--;
  if (to - from > 5) return false;
  const word = text.slice(from, to);
  return /^(?:true|false)$/i.test(word);
}

const isPadding = (character: string): boolean => character === '\0' || isSpace(character);
