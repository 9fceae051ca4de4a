/**
 * Builds `dist/`, for `npm run build` and `npm pack`.
 *
 *     dist/main.js           starts the program, or reports that Node is too old
 *     dist/program.js        the program, in CommonJS
 *     dist/cache/            the compile cache of Node, after the first start; the package does not contain it
 *     dist/library/index.js  the main entry of the library; its types are in the same folder
 *     dist/library/http.js   todo-item-service/http; each entry in package.json has such a file
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type BuildFacts, buildFacts, ROOT } from './build-facts.ts';
import { writeDeclarations } from './declarations.ts';
import { embeddedPage } from './embedded-page.ts';
import { entries } from './entries.ts';
import { ESBUILD_OPTIONS } from './esbuild-options.ts';
import { programText } from './program.ts';
import { START_TEXT } from './start-text.ts';

/**
 * Enables the compile cache of Node (since 22.1). The cache is in the folder of the program, because another user could
 * put code into a temporary folder. If the folder is not writable, Node starts without a cache. The program is one file:
 * cut into modules by `splitting`, it takes a fifth more processor time to start (D122).
 */
const MAIN = `${START_TEXT}
var enableCompileCache = require('node:module').enableCompileCache;
if (enableCompileCache) enableCompileCache(require('node:path').join(__dirname, 'cache'));
require('./program.js');
`;

/** Writes the program to `folder` and returns the path of its start file. The page comes from `../static`. */
export async function buildProgram(folder: string, facts: BuildFacts = buildFacts()): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'main.js');
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(main, MAIN, { mode: 0o755 });
  writeFileSync(join(folder, 'program.js'), await programText(facts, "'use strict';\n"));
  return main;
}

/**
 * Writes one module for each entry, and shared modules, so that all entries use the same classes. A bundler reads the
 * nearest `package.json` to find out whether it may omit an unused module.
 */
export async function buildModules(folder: string, facts: BuildFacts = buildFacts()): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
  const modules = new Map(entries().map(({ module, source }) => [module, source]));
  const options = { ...ESBUILD_OPTIONS, outdir: folder, format: 'esm', splitting: true } as const;
  const define = { PACKAGE_ROOT: '"../.."' };
  // A separate module, so that only programs with the page load it.
  const page = { page: modules.get('page')! };
  modules.delete('page');
  const EMBEDDED_PAGE = JSON.stringify(embeddedPage(facts));
  await build({ ...options, entryPoints: page, define: { ...define, EMBEDDED_PAGE } });
  await build({ ...options, entryPoints: Object.fromEntries(modules), chunkNames: 'shared-[hash]', define });
}

if (process.argv[1] === import.meta.filename) {
  const facts = buildFacts();
  const dist = join(ROOT, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await buildProgram(dist, facts);
  await buildModules(join(dist, 'library'), facts);
  const sources = entries().map(({ source }) => source);
  writeDeclarations(sources, join(dist, 'library'));
}
