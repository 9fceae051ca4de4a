import { readFile } from 'node:fs/promises';

/** The version of this program, from the package's own file. */
export async function version(): Promise<string> {
  // Two levels up, as all files are looked for from here: the build says that its two files stand in a folder of `dist`.
  return (JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
}
