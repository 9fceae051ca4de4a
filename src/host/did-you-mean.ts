/**
 * Which known word a mistyped one was meant to be: the nearest by edit distance, or one that it begins.
 *
 * Two letters may be wrong, one where either word has two or three, none where it has one; `no` must not become `on`.
 */

/** The word of `known` that was probably meant, compared without case; undefined when none is near. The first of several as near. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  let nearest: string | undefined,
    least = Infinity;
  for (const candidate of known) {
    const rank = rankOf(wanted, candidate.toLowerCase());
    if (rank < least) [nearest, least] = [candidate, rank];
  }
  return nearest;
}

/** The edit distance; a little less where the word begins the other, which may then be as long as it likes; else Infinity. */
function rankOf(wanted: string, other: string): number {
  const shorter = Math.min(wanted.length, other.length),
    most = shorter < 2 ? 0 : shorter < 4 ? 1 : 2;
  if (wanted.length > 1 && other.startsWith(wanted)) return other.length - wanted.length - 0.5;
  if (Math.abs(wanted.length - other.length) > most) return Infinity;
  const distance = editDistance(wanted, other);
  return distance > most ? Infinity : distance;
}

/** How many letters must be put in, left out or replaced (Levenshtein). Takes as long as the product of both lengths. */
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
