/**
 * Writes what the executable and the image start from: a starter, the program, V8's code cache of it, and the pages. V8
 * takes a cache that its own version has made with the same flags; else it compiles, as from one file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
run(textOf, JSON.parse(textOf('pages.json')), cachedCode(part));
`;

/** Writes the starter, `todo.cjs`, and its parts to `folder`, for the Node whose path is given. */
export async function writeParts(folder: string, facts: BuildFacts, node: string): Promise<void> {
  const write = (name: string, text: string, mode?: number): void => writeFileSync(join(folder, name), text, { mode });
  mkdirSync(folder, { recursive: true });
  const { program, onDemand } = await bundledProgram(facts);
  write('program.js', program);
  write('on-demand.js', onDemand);
  write('pages.json', JSON.stringify([embeddedPage(facts), embeddedTrace(facts)]));
  write('todo.cjs', starter(facts), 0o755);
  writeCodeCache(node, folder, 'todo.cjs');
}

if (process.argv[1] === import.meta.filename) await writeParts(process.argv[2]!, buildFacts(), process.execPath);
