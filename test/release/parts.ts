/**
 * Writes what the executable and the image start from: a starter, the program, V8's code cache of it, and the pages. V8
 * takes a cache that its own version has made with the same flags; else it compiles, as from one file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddedFiles } from '../../src/extensions/files/folder.ts';
import { type BuildFacts, buildFacts } from './build-facts.ts';
import { CODE_TEXT, writeCodeCache } from './code-cache.ts';
import { embeddedPage, embeddedTrace } from './embedded-page.ts';
import { bundledProgram } from './program.ts';
import { RUN_TEXT } from './run-text.ts';
import { aloneText } from './start-text.ts';

const starter = (facts: BuildFacts): string => `${aloneText(facts)}
const { isSea, getRawAsset } = require('node:sea');
const fileOf = (name) => require('node:path').join(__dirname, name);
const part = (name) => (isSea() ? Buffer.from(getRawAsset(name)) : require('node:fs').readFileSync(fileOf(name)));
const textOf = (name) => part(name).toString('latin1');
${CODE_TEXT}${RUN_TEXT}
const pages = JSON.parse(textOf('pages.json'));
// Read when they are asked for.
for (const file of pages.flatMap(({ files }) => Object.values(files)))
  Object.defineProperty(file, 'base64', { get: () => part('pages.bin').toString('base64', file.from, file.to) });
const { text, code } = cachedProgram(part) ?? { text: textOf('program.js') };
run(text, () => textOf('on-demand.js'), pages, code);
`;

/** Writes the starter, `todo.cjs`, and its parts to `folder`, for the Node whose path is given. */
export async function writeParts(folder: string, facts: BuildFacts, node: string): Promise<void> {
  const write = (name: string, content: string | Uint8Array, mode?: number): void =>
    writeFileSync(join(folder, name), content, { mode });
  mkdirSync(folder, { recursive: true });
  const { program, onDemand } = await bundledProgram(facts);
  write('program.js', program);
  write('on-demand.js', onDemand);
  const pages = packed([embeddedPage(facts), embeddedTrace(facts)]);
  write('pages.json', JSON.stringify(pages.index));
  write('pages.bin', pages.bytes);
  write('todo.cjs', starter(facts), 0o755);
  writeCodeCache(node, folder, 'todo.cjs');
}

/** The bytes of all files one behind the other, and in place of each where they are. */
function packed(pages: readonly EmbeddedFiles[]) {
  const all: Buffer[] = [];
  let to = 0;
  const index = pages.map(({ modified, files }) => {
    const places = Object.entries(files).map(([name, { brotli, base64 }]) => {
      const bytes = Buffer.from(base64, 'base64');
      all.push(bytes);
      return [name, { brotli, from: to, to: (to += bytes.length) }] as const;
    });
    return { modified, files: Object.fromEntries(places) };
  });
  return { index, bytes: Buffer.concat(all) };
}

if (process.argv[1] === import.meta.filename) await writeParts(process.argv[2]!, buildFacts(), process.execPath);
