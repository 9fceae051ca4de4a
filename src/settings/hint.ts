/** What a refusal of a mistyped word adds: the word that was probably meant. */
import { didYouMean } from '../host/did-you-mean.ts';

/** ` (did you mean --port?)`, with a space in front; empty when no known word is near. `mark` stands in front of the word. */
export function hint(word: string, known: Iterable<string>, mark = ''): string {
  const meant = didYouMean(word, known);
  return meant === undefined ? '' : ` (did you mean ${mark}${meant}?)`;
}
