/**
 * Guesses which known word a mistyped one stands for: the nearest by edit distance, or one that it begins.
 *
 * Two letters may be wrong, one letter where a word has two or three, none where it has one: `no` is not `on`.
 */

/** The nearest word of `known`, ignoring case, the first of several; undefined where none is near. */
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

/** ` (did you mean --port?)` with a leading space and `prefix` before the word; empty when no word is similar. */
export function hint(word: string, known: Iterable<string>, prefix = ''): string {
  const meant = didYouMean(word, known);
  return meant === undefined ? '' : ` (did you mean ${prefix}${meant}?)`;
}

/** The edit distance, or the number of missing letters where the word begins the other; `Infinity` where too great. */
function rankOf(wanted: string, other: string): number {
  const shorter = Math.min(wanted.length, other.length);
  const most = shorter < 2 ? 0 : shorter < 4 ? 1 : 2;
  if (wanted.length > 1 && other.startsWith(wanted)) return other.length - wanted.length - 0.5;
  if (Math.abs(wanted.length - other.length) > most) return Infinity;
  const distance = editDistance(wanted, other);
  return distance > most ? Infinity : distance;
}

/** The Levenshtein distance. Its time grows with the product of both lengths. */
function editDistance(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, above[column]! + 1, current[column - 1]! + 1));
    }
    above = current;
  }
  return above[to.length]!;
}
