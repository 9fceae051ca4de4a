/**
 * Strong ETags of representations: unlike those of any earlier run of the service, whose versions began at the same number.
 *
 * Up to twelve characters, sixty million versions, V8 writes a text at once; a longer one it leaves in pieces, which the
 * check of the header line then joins.
 */
import { randomBytes } from 'node:crypto';

const run = randomBytes(3).toString('base64url');

/** The ETag of a version, quotes included; each media type of it has one of its own (D8). */
export const entityTag = (version: number, mediaType = 0): string =>
  mediaType === 0 ? `"${run}-${version.toString(36)}"` : `"${run}-${version.toString(36)}-${mediaType}"`;
