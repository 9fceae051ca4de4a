/** Decides which characters are white space: those of Unicode. Unlike `trim`, U+0085 is one and U+FEFF is not. */
export const isWhiteSpace = (character: string): boolean =>
  character === '\x85' || (character !== '\ufeff' && character.trim() === '');

/** The text without white space at both ends, or without the characters that another test accepts. */
export function trimWhiteSpace(text: string, isPadding = isWhiteSpace): string {
  let from = 0;
  let to = text.length;
  while (from < to && isPadding(text[from]!)) from++;
  while (to > from && isPadding(text[to - 1]!)) to--;
  return text.slice(from, to);
}
