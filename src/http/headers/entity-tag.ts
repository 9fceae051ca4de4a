/**
 * Makes strong ETags from version numbers. Versions begin at the same number in each run of the service, so a tag
 * includes text that is random for the run.
 */
import { randomBytes } from 'node:crypto';

/** Short: V8 copies a text of up to twelve characters at once, which gives sixty million versions. */
const run = randomBytes(3).toString('base64url');

/** The ETag of a version, in quotes. Each media type of a version, by its number, has a tag of its own (D8). */
export const entityTag = (version: number, mediaType = 0): string =>
  mediaType === 0 ? `"${run}-${version.toString(36)}"` : `"${run}-${version.toString(36)}-${mediaType}"`;
