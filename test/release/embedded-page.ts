/** Reads the pages as values to embed in a program. The vendored page includes its licences. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import type { EmbeddedFile, EmbeddedFiles } from '../../src/plugins/files/folder.ts';
import { type BuildFacts, ROOT } from './build-facts.ts';

/** Compressed files replace their originals. The excluded files only describe the folder. */
const LEFT_OUT = /\.(?:br|gz)$|^(?:SHA256SUMS|VERSION|sbom\.cdx\.json)$/;

/** The vendored page with the time of this build. */
export const embeddedPage = (facts: BuildFacts): EmbeddedFiles => embeddedFolder('swagger-ui', facts);

/** The page of the trace. */
export const embeddedTrace = (facts: BuildFacts): EmbeddedFiles => embeddedFolder('trace', facts);

function embeddedFolder(name: string, { modified }: BuildFacts): EmbeddedFiles {
  const folder = `${ROOT}static/${name}/`;
  const names = readdirSync(folder).sort();
  const files = names
    .filter((file) => !LEFT_OUT.test(file))
    .map((file) => [file, embedded(folder + file, names.includes(`${file}.br`))] as const);
  return { modified, files: Object.fromEntries(files) };
}

function embedded(path: string, isCompressed: boolean): EmbeddedFile {
  const bytes = readFileSync(path);
  const compressed = isCompressed ? readFileSync(`${path}.br`) : brotliCompressSync(bytes);
  const brotli = compressed.length < bytes.length;
  return { brotli, base64: (brotli ? compressed : bytes).toString('base64') };
}
