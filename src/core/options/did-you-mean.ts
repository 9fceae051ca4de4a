/**
 * Returns the known word that is most similar to `word`, or undefined if no known word is similar. Ignores case.
 *
 * A known word is similar if it begins with `word`, if `word` begins with it and a dash, or if the edit distance is at
 * most 2. The maximum distance is 1 if the shorter word has two or three letters, and 0 if it has one letter. The
 * smallest distance wins, then the earlier word. If one word begins with the other, the distance is the number of
 * further letters, minus 0.5.
 */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let nearest: string | undefined;
  let least = Infinity;
  for (const candidate of known) {
    const rank = rankOf(wanted, candidate.toLowerCase());
    if (rank < least) [nearest, least] = [candidate, rank];
  }
  return nearest;
}

/** Returns ` (did you mean port?)`, with `prefix` before the word, or an empty text if no known word is similar. */
export function hint(word: string, known: Iterable<string>, prefix = ''): string {
  const meant = didYouMean(word, known);
  return meant === undefined ? '' : ` (did you mean ${prefix}${meant}?)`;
}

/** Returns the distance that `didYouMean` compares, or `Infinity` if the words are not similar. */
function rankOf(wanted: string, other: string): number {
  if (wanted.length > 1 && other.startsWith(wanted)) return other.length - wanted.length - 0.5;
  if (/^[-_]/.test(wanted.slice(other.length)) && wanted.startsWith(other)) return wanted.length - other.length - 0.5;
  const shorter = Math.min(wanted.length, other.length);
  return editDistance(wanted, other, shorter < 2 ? 0 : shorter < 4 ? 1 : 2);
}

/** Returns the Levenshtein distance, or `Infinity` if it is more than `most`. */
function editDistance(from: string, to: string, most: number): number {
  if (most < Math.abs(from.length - to.length)) return Infinity;
  const [restOfFrom, restOfTo] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return from === '' ? 0 : editDistance(restOfFrom, restOfTo, most);
  const removed = editDistance(restOfFrom, to, most - 1);
  const added = editDistance(from, restOfTo, most - 1);
  return 1 + Math.min(removed, added, editDistance(restOfFrom, restOfTo, most - 1));
}
