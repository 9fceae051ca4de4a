/**
 * Decides which of the offered media types and content codings a client gets (RFC 9110 §12.5.1, §12.5.3, D8).
 *
 * `br;q=0` refuses brotli and `gzip, *;q=0` refuses everything but gzip: a search for the letters "br" in the header
 * would send both clients a body that they cannot read. A client that accepts none of the offered media types gets the
 * default, which serves it better than a 406.
 */
import { parseParameters, splitOutsideQuotes } from './content-type.ts';

/** From 0 to 1 (RFC 9110 §12.4.2). `1.5`, `.5` and `0.1234` are malformed (D58). */
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Most clients send one value: to read it takes 1.6 µs, some 5 % of a request for a file. */
let lastRead = { header: '', qualities: new Map<string, number>() };

/**
 * The quality of each element by its name in lower case, 0 for never; the first of a name counts. An element is passed
 * over where it is malformed, or has a parameter that no offer has: other than `charset=utf-8`.
 */
function qualitiesOf(header: string): ReadonlyMap<string, number> {
  if (header === lastRead.header) return lastRead.qualities;
  const qualities = new Map<string, number>();
  for (const element of splitOutsideQuotes(header, ',')) {
    const [name = '', ...pieces] = splitOutsideQuotes(element, ';');
    const parameters = parseParameters(pieces);
    const quality = parameters?.find(([parameter]) => parameter === 'q')?.[1] ?? '1';
    const isOffered = parameters?.every(
      ([parameter, value]) => parameter === 'q' || (parameter === 'charset' && /^utf-?8$/i.test(value)),
    );
    const lower = name.toLowerCase();
    if (isOffered === true && QUALITY.test(quality) && !qualities.has(lower)) qualities.set(lower, Number(quality));
  }
  lastRead = { header, qualities };
  return qualities;
}

/**
 * The position of the type with the highest quality; between equals, or if none is accepted, that of `preferred`: of
 * JSON unless given, else of the first.
 */
export function preferredMediaType(
  accept: string | undefined,
  offered: readonly string[],
  preferred: number = Math.max(offered.indexOf('application/json'), 0),
): number {
  if (offered.length < 2 || accept === undefined || accept === '*/*') return preferred;
  const qualities = qualitiesOf(accept);
  let best = -1;
  let highest = 0;
  for (const [at, mediaType] of offered.entries()) {
    // The most specific range counts.
    const wildcard = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
    const quality = qualities.get(mediaType) ?? qualities.get(wildcard) ?? qualities.get('*/*') ?? 0;
    if (quality > highest || (quality === highest && quality > 0 && at === preferred)) [best, highest] = [at, quality];
  }
  return best < 0 ? preferred : best;
}

/** A content coding in which a file may be stored. */
export type Coding = 'br' | 'gzip';

/** The coding to send, undefined for the bytes as they are. Between equals the first one of `available` is chosen. */
export function preferredCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  if (header === undefined || available.length === 0) return undefined;
  const qualities = qualitiesOf(header);
  const others = qualities.get('*') ?? 0;
  let best: Coding | undefined;
  let highest = qualities.get('identity') ?? others;
  for (const coding of available) {
    const quality = qualities.get(coding) ?? (coding === 'gzip' ? qualities.get('x-gzip') : undefined) ?? others;
    if (quality > 0 && (quality > highest || (quality === highest && best === undefined)))
      [best, highest] = [coding, quality];
  }
  return best;
}
