/** Media types of bodies and files, and ranges of them. */

import type { Context } from '../../core/message/context.ts';
import { type ContentType, parseContentType } from '../../core/message/headers/content-type.ts';
import { refusedMediaType } from '../../operations/media-types/refused-media-type.ts';

/** A media type such as `image/png`, or a range of them such as `image/*`. */
export type MediaRange = `${string}/${string}`;

const RANGE = /^(?:\*\/\*|[\w!#$&^.+-]+\/(?:\*|[\w!#$&^.+-]+))$/;

/** What is wrong with a declared list of media types. */
export function rangesFault(ranges: unknown): string | undefined {
  if (!Array.isArray(ranges) || ranges.length === 0) return "it has no media types; give one such as 'image/png'";
  const wrong: unknown = ranges.find((one) => typeof one !== 'string' || !RANGE.test(one));
  if (wrong === undefined) return undefined;
  return `${JSON.stringify(wrong)} is no media type; give one such as 'image/png', or a range such as 'image/*'`;
}

/** Whether a media type in lower case is one of these, or in a range of them such as `image/*`. */
export const isInRanges = (type: string, ranges: readonly string[]): boolean =>
  ranges.some((range) => {
    const folded = range.toLowerCase();
    return folded === type || folded === '*/*' || (folded.endsWith('/*') && type.startsWith(folded.slice(0, -1)));
  });

/** The media type of the body, which is one of these. Throws an `HttpProblem` 415 with what is read. */
export function acceptedMediaType(
  { headers, method }: Context,
  mediaTypes: readonly string[],
  isRead = (type: string): boolean => isInRanges(type, mediaTypes),
): ContentType {
  const text = headers['content-type'];
  const refused = (fault: string): Error =>
    refusedMediaType(method, `${fault}; send the body as ${mediaTypes.join(' or ')}`, mediaTypes.join(', '));
  if (text === undefined) throw refused('The request has no Content-Type');
  const contentType = parseContentType(text);
  if (contentType === undefined) throw refused('The Content-Type cannot be read');
  if (!isRead(contentType.type)) throw refused(`The body is ${contentType.type}`);
  return contentType;
}
