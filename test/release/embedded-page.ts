/** Reads the vendored page as a value that goes into a program, its licences with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { EmbeddedFile, EmbeddedFiles } from '../../src/files/embedded-folder.ts';
import { type BuildFacts, ROOT } from './build-facts.ts';

const FOLDER = `${ROOT}static/swagger-ui/`;
/** Compressed files are taken in the place of what they stand beside; the others tell about files of the folder. */
const LEFT_OUT = /\.(?:br|gz)$|^(?:SHA256SUMS|VERSION|sbom\.cdx\.json)$/;

/** The page with the time of this build. */
export function embeddedPage({ modified }: BuildFacts): EmbeddedFiles {
  const names = readdirSync(FOLDER).sort();
  const files = names
    .filter((name) => !LEFT_OUT.test(name))
    .map((name) => [name, embedded(name, names.includes(`${name}.br`))] as const);
  return { modified, files: Object.fromEntries(files) };
}

function embedded(name: string, isCompressed: boolean): EmbeddedFile {
  const bytes = readFileSync(FOLDER + name);
  const compressed = isCompressed ? readFileSync(`${FOLDER}${name}.br`) : brotliCompressSync(bytes);
  const brotli = compressed.length < bytes.length;
  return { brotli, base64: (brotli ? compressed : bytes).toString('base64') };
}
