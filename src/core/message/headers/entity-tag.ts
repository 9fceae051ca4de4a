/**
 * Makes strong ETags: from bytes, or from a version. Numbers of versions begin anew in each run of the service, so the
 * tag of a number includes text that is random for the run.
 */
import { createHash, randomBytes } from 'node:crypto';

/** Short: V8 copies a text of up to twelve characters at once, which gives sixty million versions. */
const run = randomBytes(3).toString('base64url');

/**
 * Names one state of what is under a URI. A number does so in this run of this process. A text does so in every run and
 * every process, so its tag stays the same there: it is a UUID for example, and no counter that could begin anew (D76).
 */
export type Version = number | string;

/** The ETag of a version, in quotes. Each media type of a version, by its number, has a tag of its own (D8). */
export function entityTag(version: Version, mediaType = 0): string {
  if (typeof version === 'string') return textTag(version, mediaType);
  return mediaType === 0 ? `"${run}-${version.toString(36)}"` : `"${run}-${version.toString(36)}-${mediaType}"`;
}

/** A colon of the text is escaped, so two texts and two media types never have one tag. */
const textTag = (version: string, mediaType: number): string =>
  mediaType === 0 ? `"${encodeURIComponent(version)}"` : `"${encodeURIComponent(version)}:${mediaType}"`;

/** The ETag of these bytes, or of this text in UTF-8, in quotes: the same in each run. */
export const contentTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
