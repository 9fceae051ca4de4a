/** Reads the version of this program from the package's own file. */
import { readFile } from 'node:fs/promises';
import { packageFile } from '../host/package-file.ts';

/** The version of this program. Rejects where `package.json` is not beside it. */
export const version = async (): Promise<string> =>
  (JSON.parse(await readFile(packageFile('package.json'), 'utf8')) as { version: string }).version;
