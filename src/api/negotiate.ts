/**
 * Which of the media types that an operation offers a client gets (RFC 9110 §12.5.1, D8).
 *
 * `text/plain` and `text/json` are really answered with, and whoever accepts nothing on offer gets the default: to refuse it
 * with 406 would help nobody.
 */

/** The position in `offered` to answer with: the highest quality; between equals `application/json`, else the first listed. */
export function negotiate(accept: string | undefined, offered: readonly string[]): number {
  const preferred = Math.max(offered.indexOf('application/json'), 0);
  if (offered.length < 2 || accept === undefined || accept === '*/*') return preferred;
  const ranges = parseAccept(accept);
  let best = -1, highest = 0;
  for (const [at, mediaType] of offered.entries()) {
    const quality = qualityOf(mediaType, ranges);
    if (quality > highest || (quality === highest && quality > 0 && at === preferred)) [best, highest] = [at, quality];
  }
  return best < 0 ? preferred : best;
}

interface MediaRange { readonly type: string; readonly quality: number; readonly parameters: boolean }

function parseAccept(accept: string): readonly MediaRange[] {
  return accept.split(',').flatMap((element) => {
    const [type = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => /^q\s*=/.test(parameter));
    const quality = q === undefined ? 1 : Number(q.replace(/^q\s*=\s*/, ''));
    if (!/^[^\s/]+\/[^\s/]+$/.test(type) || !(quality >= 0 && quality <= 1)) return [];
    const others = parameters.filter((parameter) => parameter !== q && parameter !== '' && !/^charset="?utf-8"?$/.test(parameter));
    return [{ type, quality, parameters: others.length > 0 }];
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
