/**
 * Folds and hashes text one UTF-16 unit at a time, for the index.
 *
 * Measured: hashing a segment while reading it takes a third of the time of looking it up in a `Map`.
 */

/** Maps a unit of ASCII to its folded unit, `/` to 0, and `%` and every unit outside ASCII to 1. */
export const FOLDED = new Uint8Array(65536).fill(1);
for (let unit = 2; unit < 128; unit++) FOLDED[unit] = unit >= 65 && unit <= 90 ? unit + 32 : unit;
FOLDED[47] = 0;
FOLDED[37] = 1;

/** The bits of a hash that are kept, so that it is a small integer of V8. */
export const HASH_BITS = 0x3fffffff;

/** Returns the hash of a folded text. `RouteIndex.findCandidates` computes the same. */
export function hashOf(folded: string): number {
  let hash = 0;
  for (let at = 0; at < folded.length; at++) hash = ((hash << 5) - hash + folded.charCodeAt(at)) | 0;
  return hash & HASH_BITS;
}
