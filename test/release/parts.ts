/**
 * Writes what the executable starts from: a starter, the program, V8's code cache of it, and the pages. V8 takes a
 * cache that its own version has made with the same flags; else it compiles, as from one file.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildFacts } from './build-facts.ts';
import { embeddedPage, embeddedTrace } from './embedded-page.ts';
import { bundledProgram } from './program.ts';
import { aloneText } from './start-text.ts';

const KEEP_CODE = join(import.meta.dirname, 'keep-code.ts');

/** The names of what is written beside the starter. */
export const PARTS = ['program.js', 'pages.json', 'program.cache'] as const;

/** Lines in stacks are those of dist/program.js in the package. Its name has no folder: it goes into the cache. */
const starter = (facts: BuildFacts): string => `${aloneText(facts)}
const { readFileSync } = require('node:fs');
const Module = require('node:module');
const { join } = require('node:path');
const { isSea, getRawAsset } = require('node:sea');
const { Script } = require('node:vm');
const part = (name) => isSea() ? Buffer.from(getRawAsset(name)) : readFileSync(join(__dirname, name));
let cachedData;
try {
  cachedData = part('program.cache');
} catch {
  // It starts without.
}
const text = part('program.js').toString('latin1');
const program = new Script(text, { filename: 'program.js', cachedData }).runInThisContext();
// A script with a cache cannot import, and neither can this file in a single executable; a module of its own can.
const path = join(__dirname, 'program.js');
const own = new Module(path);
own._compile('exports.importModule = (name) => import(name)', path);
const pages = JSON.parse(part('pages.json').toString('latin1'));
program(Module.createRequire(path), own.exports.importModule, path, __dirname, ...pages);
`;

/** Writes `todo.cjs` and its parts to `folder`, for the Node whose path is given, from 26 on. */
export async function writeParts(folder: string, facts: BuildFacts, node: string): Promise<void> {
  const [program, pages, cache] = PARTS.map((name) => join(folder, name)) as [string, string, string];
  const main = join(folder, 'todo.cjs');
  const parameters = 'require, importModule, __filename, __dirname, EMBEDDED_PAGE, EMBEDDED_TRACE';
  mkdirSync(folder, { recursive: true });
  // From an earlier one, another would be made.
  rmSync(cache, { force: true });
  const text = (await bundledProgram(facts)).replace(/\bimport\(/g, 'importModule(');
  writeFileSync(program, `(function (${parameters}) {${text}\n})`);
  writeFileSync(pages, JSON.stringify([embeddedPage(facts), embeddedTrace(facts)]));
  writeFileSync(main, starter(facts), { mode: 0o755 });
  // One thread and no chance: the same program gives the same bytes. V8 takes the cache also without this flag.
  const options = ['--predictable', '--import', KEEP_CODE, main, '--host', '127.0.0.1', '--port', '0'];
  const env = { PATH: process.env['PATH'], CODE_CACHE: cache };
  execFileSync(node, options, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}
