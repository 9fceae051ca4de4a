/** Reads the version of this program from its `package.json`. */
import { readFile } from 'node:fs/promises';
import { packageFile } from '../host/package-file.ts';

/** The version of this program. Rejects when `package.json` cannot be read. */
export const version = async (): Promise<string> =>
  (JSON.parse(await readFile(packageFile('package.json'), 'utf8')) as { version: string }).version;
