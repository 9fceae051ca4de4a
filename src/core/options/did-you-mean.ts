/**
 * Returns the known word that was probably meant: the first with the least edit distance, or the first that `word`
 * begins. Case is ignored. Returns undefined if no known word is near. Two letters may be wrong, one letter in a word
 * of two or three letters, no letter in a word of one: `no` is not `on`.
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

/** ` (did you mean port?)` with a leading space and `prefix` before the word; empty when no word is similar. */
export function hint(word: string, known: Iterable<string>, prefix = ''): string {
  const meant = didYouMean(word, known);
  return meant === undefined ? '' : ` (did you mean ${prefix}${meant}?)`;
}

/** The edit distance, or the number of missing letters where the word begins the other; `Infinity` where too great. */
function rankOf(wanted: string, other: string): number {
  if (wanted.length > 1 && other.startsWith(wanted)) return other.length - wanted.length - 0.5;
  const shorter = Math.min(wanted.length, other.length);
  return editDistance(wanted, other, shorter < 2 ? 0 : shorter < 4 ? 1 : 2);
}

/** The Levenshtein distance; `Infinity` where it is more than `most`. */
function editDistance(from: string, to: string, most: number): number {
  if (most < Math.abs(from.length - to.length)) return Infinity;
  const [restOfFrom, restOfTo] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return from === '' ? 0 : editDistance(restOfFrom, restOfTo, most);
  const removed = editDistance(restOfFrom, to, most - 1);
  const added = editDistance(from, restOfTo, most - 1);
  return 1 + Math.min(removed, added, editDistance(restOfFrom, restOfTo, most - 1));
}
