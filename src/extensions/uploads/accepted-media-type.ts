/** Decides whether a body has a media type that its operation reads (D74). */

import { type ContentType, parseContentType } from '../../http.ts';
import type { Context } from '../../index.ts';
import { refusedMediaType } from '../../operations.ts';

/** The media type of the body. Throws an `HttpProblem` 415 with what is read. */
export function acceptedMediaType({ headers, method }: Context, mediaTypes: readonly string[]): ContentType {
  const text = headers['content-type'];
  const refused = (fault: string): Error =>
    refusedMediaType(method, `${fault}; send the body as ${mediaTypes.join(' or ')}`, mediaTypes.join(', '));
  if (text === undefined) throw refused('The request has no Content-Type');
  const contentType = parseContentType(text);
  if (contentType === undefined) throw refused('The Content-Type cannot be read');
  if (!isInRanges(contentType.type, mediaTypes)) throw refused(`The body is ${contentType.type}`);
  return contentType;
}

/** Whether a media type in lower case is one of these, or in a range of them such as `image/*`. */
export const isInRanges = (type: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => {
    const folded = range.toLowerCase();
    return folded === type || folded === '*/*' || (folded.endsWith('/*') && type.startsWith(folded.slice(0, -1)));
  });
