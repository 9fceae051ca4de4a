/** Tells the version of this program, for `--version`. */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../core/application/package-file.ts';

/** A name that the build defines: the version and the commit that the program is built from. */
declare const BUILT_VERSION: string | undefined;

/** Such as `1.0.0 (commit 0123456789ab)`, or `1.0.0 (source)` where it runs from its sources. */
export function version(): string {
  if (typeof BUILT_VERSION !== 'undefined') return BUILT_VERSION;
  const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { readonly version: string };
  return `${version} (source)`;
}
