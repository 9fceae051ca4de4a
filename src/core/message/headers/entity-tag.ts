/** Makes the entity tags of versions and of contents (RFC 9110 §8.8.3). */
import { createHash, randomBytes } from 'node:crypto';

/**
 * Names one state of what is under a URI, in every run and every process: a UUID, or the number that a column of a
 * database counts. A count that begins anew in each process needs `versionOfProcess` (D76).
 */
export type Version = number | string;

/**
 * The ETag of a version, in quotes: the same in every run and every process. Each media type of a version, by its
 * number, has a tag of its own (D8).
 */
export function entityTag(version: Version, mediaType = 0): string {
  // A colon of a text is escaped, so two versions and two media types never have one tag.
  const name = encodeURIComponent(version);
  return mediaType === 0 ? `"${name}"` : `"${name}:${mediaType}"`;
}

const ofProcess = randomBytes(3).toString('base64url');

/** The version for a count that begins anew in each process, as that of a collection in memory does. */
export const versionOfProcess = (count: number): string => `${ofProcess}-${count.toString(36)}`;

/** The ETag of these bytes, or of this text in UTF-8, in quotes: the same in each run. */
export const contentTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
