/** Suggests the word that a mistyped one was probably meant to be. */
import { didYouMean } from '../host/did-you-mean.ts';

/** ` (did you mean --port?)` with a leading space and `prefix` before the word; empty when no word is similar. */
export function hint(word: string, known: Iterable<string>, prefix = ''): string {
  const meant = didYouMean(word, known);
  return meant === undefined ? '' : ` (did you mean ${prefix}${meant}?)`;
}
