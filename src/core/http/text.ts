/**
 * Compares texts ignoring case, character by character, in the same way in every locale (§4.3, literals; rule A).
 *
 * `Ü` equals `ü`, but `ß` does not equal `SS`, and a Turkish dotless `ı` does not equal `I`. `toLowerCase` would be
 * wrong, because it maps `İ` to two characters. Folding keeps the length of a text, so offsets stay valid. Folding
 * never maps between ASCII and other characters, so the code units of an ASCII path can be compared one by one.
 */
import { attempt } from '../log/thrown-value.ts';

const NON_ASCII = /[^\0-\x7f]/;

/** Replaces each letter with one form for both cases. Texts that differ only in case become equal. */
export const foldCase = (text: string): string =>
  NON_ASCII.test(text) ? text.replace(/[A-Z]|[^\0-\x7f]/gu, foldCharacter) : text.toLowerCase();

export const sameText = (left: string, right: string): boolean =>
  left === right || (left.length === right.length && foldCase(left) === foldCase(right));

/** Returns the text with its first letter in upper case, for the start of a sentence. */
export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Decodes percent escapes. Returns undefined if an escape is malformed or not UTF-8. */
export const decoded = (text: string): string | undefined => attempt(() => decodeURIComponent(text), undefined);

// Applies Unicode's simple upper-case mapping. `toUpperCase` uses the full mapping, which turns `ß` into two letters.
// `ı` and `ſ` do not change. The capital of a Greek letter with iota subscript has a code at a fixed distance.
function foldCharacter(character: string): string {
  if (character < '\x80') return character.toLowerCase();
  if (character === '\u0131' || character === '\u017f') return character;
  const code = character.charCodeAt(0);
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCharCode(code | 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9);
  const upper = character.toUpperCase();
  return upper.length === character.length ? upper : character;
}
