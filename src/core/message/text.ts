/**
 * Decides when texts are the same ignoring case: by character, without culture (§4.3, literals; reference A).
 *
 * `Ü` equals `ü`, but `ß` does not equal `SS`, and a Turkish dotless `ı` does not equal `I`. `toLowerCase` alone is
 * wrong, because it maps `İ` to two characters. Folding keeps the length of a text, so offsets stay valid. It never
 * maps between ASCII and other characters, so a path of ASCII can be compared unit by unit.
 */

const NON_ASCII = /[^\0-\x7f]/;

/** Replaces each character by the one that represents both cases. */
export const foldCase = (text: string): string =>
  NON_ASCII.test(text) ? text.replace(/[A-Z]|[^\0-\x7f]/gu, foldCharacter) : text.toLowerCase();

export const sameText = (one: string, other: string): boolean =>
  one === other || (one.length === other.length && foldCase(one) === foldCase(other));

/** The text with its first letter in upper case, to begin a sentence with. */
export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

// Unicode's simple upper-case mapping. `toUpperCase` is the full mapping, which turns `ß` into two letters. `ı` and `ſ`
// stay as they are; a Greek letter with iota subscript has its simple mapping at a fixed distance.
function foldCharacter(character: string): string {
  if (character < '\x80') return character.toLowerCase();
  if (character === '\u0131' || character === '\u017f') return character;
  const code = character.charCodeAt(0);
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCharCode(code | 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9);
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}
