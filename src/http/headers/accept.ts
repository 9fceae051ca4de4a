/**
 * Which of the media types that an operation offers a client gets (RFC 9110 §12.5.1, D8).
 *
 * `text/plain` and `text/json` are really answered with, and whoever accepts nothing on offer gets the default: to refuse it
 * with 406 would help nobody.
 */
import { parseContentType } from './content-type.ts';
import { parseQuality } from './quality.ts';
import { splitOutsideQuotes } from './split-outside-quotes.ts';

/** The position in `offered` to answer with: the highest quality; between equals `application/json`, else the first listed. */
export function negotiate(accept: string | undefined, offered: readonly string[]): number {
  const preferred = Math.max(offered.indexOf('application/json'), 0);
  if (offered.length < 2 || accept === undefined || accept === '*/*') return preferred;
  const ranges = parseAccept(accept);
  let best = -1,
    highest = 0;
  for (const [at, mediaType] of offered.entries()) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > highest || (quality === highest && quality > 0 && at === preferred)) [best, highest] = [at, quality];
  }
  return best < 0 ? preferred : best;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
  readonly parameters: boolean;
}

/** An element that breaks the grammar, in its quality too, does not count. */
function parseAccept(accept: string): readonly MediaRange[] {
  return splitOutsideQuotes(accept, ',').flatMap((element) => {
    const range = parseContentType(element);
    if (range === undefined) return [];
    const weight = range.parameters.find(([name]) => name === 'q');
    const quality = weight === undefined ? 1 : parseQuality(weight[1]);
    if (quality === undefined) return [];
    const others = range.parameters.some(
      ([name, value]) => name !== 'q' && !(name === 'charset' && /^utf-?8$/i.test(value)),
    );
    return [{ type: range.type, quality, parameters: others }];
  });
}

/** The quality of the most specific range that fits; a range with parameters that no offered type has fits none. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const wildcard = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`;
  for (const type of [mediaType, wildcard, '*/*']) {
    const range = ranges.find((candidate) => candidate.type === type && !candidate.parameters);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
