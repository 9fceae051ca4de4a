/**
 * Makes the versions of items that several processes or several runs change.
 *
 * A version is a text that is random for the run, then a count. So it is never made again: not by another process, not
 * after a restart, and not after a store went back to an earlier state, by a backup or by the fail-over of an engine.
 */
import { randomBytes } from 'node:crypto';

/** Makes a new version at each call, of up to 24 characters that an ETag needs not escape. */
export function versionMaker(): () => string {
  const run = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${run}${(count++).toString(36)}`;
}
