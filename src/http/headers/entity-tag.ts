/**
 * Makes strong ETags: from bytes, or from a version number. Versions begin at the same number in each run of the
 * service, so such a tag includes text that is random for the run.
 */
import { createHash, randomBytes } from 'node:crypto';

/** Short: V8 copies a text of up to twelve characters at once, which gives sixty million versions. */
const run = randomBytes(3).toString('base64url');

/** The ETag of a version, in quotes. Each media type of a version, by its number, has a tag of its own (D8). */
export const entityTag = (version: number, mediaType = 0): string =>
  mediaType === 0 ? `"${run}-${version.toString(36)}"` : `"${run}-${version.toString(36)}-${mediaType}"`;

/** The ETag of these bytes, or of this text in UTF-8, in quotes: the same in each run. */
export const contentTag = (content: string | Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
