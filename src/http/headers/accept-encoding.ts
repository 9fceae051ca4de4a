/**
 * Which of the codings at hand a client would like best (RFC 9110 §12.5.3).
 *
 * `br;q=0` forbids brotli and `gzip, *;q=0` everything else; a search for the letters "br" in the header would send both
 * clients what they cannot read. Between equals the smaller wins: brotli, then gzip, then the bytes as they are.
 */
import { parseQuality } from './quality.ts';

/** A content coding that a file may lie on the disk under. */
export type Coding = 'br' | 'gzip';

/** Weights from 0 (never) to 1, by coding in lower case. */
type Weights = ReadonlyMap<string, number>;

const ITEM = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=([\d.]+)[ \t]*)?$/i;

/** The coding to send, undefined for the bytes as they are. `available` is in the order of preference between equals. */
export function preferredCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  if (header === undefined || available.length === 0) return undefined;
  const weights = weightsOf(header);
  const others = weights.get('*');
  let best: Coding | undefined,
    highest = weights.get('identity') ?? others ?? 0;
  for (const coding of available) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight > 0 && (weight > highest || (weight === highest && best === undefined)))
      [best, highest] = [coding, weight];
  }
  return best;
}

/** Browsers send one of a handful of texts with every request; reading one costs as much as finding the file. */
const known = new Map<string, Weights>();
const KNOWN = 64,
  LONGEST = 200;

function weightsOf(header: string): Weights {
  const found = known.get(header);
  if (found !== undefined) return found;
  const weights = new Map<string, number>();
  for (const item of header.split(',')) {
    const [, coding, weight = '1'] = ITEM.exec(item) ?? [],
      quality = parseQuality(weight);
    if (coding === undefined || quality === undefined) continue;
    weights.set(coding.toLowerCase() === 'x-gzip' ? 'gzip' : coding.toLowerCase(), quality);
  }
  if (header.length <= LONGEST) {
    if (known.size >= KNOWN) known.clear();
    known.set(header, weights);
  }
  return weights;
}
