/**
 * When two texts are the same "ignoring case": character by character, without culture (§4.3, literals; reference A).
 *
 * `Ü` is `ü`, but `ß` is not `SS` and a Turkish dotless `ı` is not `I`: so `toLowerCase` on its own will not do, it maps `İ` to
 * two characters. Folding never changes the length of a text, so a position in the folded text is a position in the text,
 * and never takes a character across the border of ASCII, so a path without escapes can be compared byte by byte.
 */

const WIDE = /[^\0-\x7f]/;

/** The text with every character replaced by the one that stands for it in both cases. */
export const foldCase = (text: string): string => (WIDE.test(text) ? foldWide(text) : text.toLowerCase());

/** Are the two texts the same, ignoring case? */
export const sameText = (one: string, other: string): boolean =>
  one === other || (one.length === other.length && foldCase(one) === foldCase(other));

function foldWide(text: string): string {
  let folded = '';
  for (const character of text) folded += character < '\x80' ? character.toLowerCase() : foldCharacter(character);
  return folded;
}

// Simple upper-casing, which JavaScript has not: its own is the full mapping, where 'ß' gives two letters. `ı` and `ſ` stay
// what they are; the Greek letters with iota below have their simple partners at a fixed distance.
function foldCharacter(character: string): string {
  if (character === '\u0131' || character === '\u017f') return character;
  const code = character.charCodeAt(0);
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCharCode(code | 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9);
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}
