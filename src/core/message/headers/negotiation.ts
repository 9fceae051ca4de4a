/**
 * Decides which of the offered media types and content codings a client gets (RFC 9110 §12.5.1, §12.5.3, D8).
 *
 * `br;q=0` refuses brotli and `gzip, *;q=0` refuses everything but gzip: a search for the letters "br" in the header
 * would send both clients a body that they cannot read. A client that accepts none of the offered media types gets the
 * default, which serves it better than a 406.
 */
import { parseContentType, splitOutsideQuotes } from './content-type.ts';

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** From 0 to 1 (RFC 9110 §12.4.2); undefined for a malformed quality such as `1.5`, `.5` or `0.1234` (D58). */
const parseQuality = (text: string): number | undefined => (QUALITY.test(text) ? Number(text) : undefined);

/** The position of the type with the highest quality. Between equals, or if none is accepted: JSON, else the first. */
export function preferredMediaType(accept: string | undefined, offered: readonly string[]): number {
  const preferred = Math.max(offered.indexOf('application/json'), 0);
  if (offered.length < 2 || accept === undefined || accept === '*/*') return preferred;
  const ranges = parseAccept(accept);
  let best = -1;
  let highest = 0;
  for (const [at, mediaType] of offered.entries()) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > highest || (quality === highest && quality > 0 && at === preferred)) [best, highest] = [at, quality];
  }
  return best < 0 ? preferred : best;
}

type MediaRange = Readonly<{ type: string; quality: number }>;

/** The well-formed ranges that an offered type can match: without a parameter, other than `charset=utf-8`. */
function parseAccept(accept: string): readonly MediaRange[] {
  return splitOutsideQuotes(accept, ',').flatMap((element) => {
    const range = parseContentType(element);
    if (range === undefined) return [];
    const { type, parameters } = range;
    const quality = parseQuality(parameters.find(([name]) => name === 'q')?.[1] ?? '1');
    const matchesOffers = parameters.every(
      ([name, value]) => name === 'q' || (name === 'charset' && /^utf-?8$/i.test(value)),
    );
    return quality === undefined || !matchesOffers ? [] : [{ type, quality }];
  });
}

/** The quality of the most specific range that matches; 0 for none. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const wildcard = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
  for (const type of [mediaType, wildcard, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === type);
    if (range !== undefined) return range.quality;
  }
  return 0;
}

/** A content coding in which a file may be stored. */
export type Coding = 'br' | 'gzip';

/** The coding to send, undefined for the bytes as they are. Between equals the first one of `available` is chosen. */
export function preferredCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  if (header === undefined || available.length === 0) return undefined;
  const qualities = codingQualities(header);
  const others = qualities.get('*') ?? 0;
  let best: Coding | undefined;
  let highest = qualities.get('identity') ?? others;
  for (const coding of available) {
    const quality = qualities.get(coding) ?? others;
    if (quality > 0 && (quality > highest || (quality === highest && best === undefined)))
      [best, highest] = [coding, quality];
  }
  return best;
}

const CODING = /^[ \t]*([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:;[ \t]*q=([\d.]+)[ \t]*)?$/i;

/** Browsers send few different values, and to parse one costs as much as to find the file: so the results are kept. */
const parsed = new Map<string, ReadonlyMap<string, number>>();
const MAX_PARSED = 64;
const MAX_PARSED_LENGTH = 200;

/** Qualities from 0 (never) to 1, by coding in lower case. */
function codingQualities(header: string): ReadonlyMap<string, number> {
  const found = parsed.get(header);
  if (found !== undefined) return found;
  const qualities = new Map<string, number>();
  for (const element of header.split(',')) {
    const [, coding, weight = '1'] = CODING.exec(element) ?? [];
    const quality = parseQuality(weight);
    if (coding === undefined || quality === undefined) continue;
    qualities.set(coding.toLowerCase() === 'x-gzip' ? 'gzip' : coding.toLowerCase(), quality);
  }
  if (header.length <= MAX_PARSED_LENGTH) {
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(header, qualities);
  }
  return qualities;
}
