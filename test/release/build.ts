/**
 * Builds `dist/`, for `npm run build` and `npm pack`.
 *
 *     dist/main.js           starts the program, or says that Node is too old
 *     dist/program.js        the program, in CommonJS
 *     dist/cache/            what Node has compiled of it, from the first start on; the package has none
 *     dist/library/index.js  the main entry of the library, with its types beside it
 *     dist/library/http.js  todo-item-service/http, and so each entry that package.json names
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
 * Node has a compile cache from 22.1 on. In the folder for temporary files, another user could put code there for this
 * program to run; in the folder of the program, nobody can who could not change the program itself. Where that folder
 * cannot be written to, Node starts without a cache.
 */
const MAIN = `${START_TEXT}
var enableCompileCache = require('node:module').enableCompileCache;
if (enableCompileCache) enableCompileCache(require('node:path').join(__dirname, 'cache'));
require('./program.js');
`;

/** Writes the program to `folder`; returns the path to start it by. The page is looked for in `../static` of it. */
export async function buildProgram(folder: string, facts: BuildFacts = buildFacts()): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'main.js');
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(main, MAIN, { mode: 0o755 });
  writeFileSync(join(folder, 'program.js'), await programText(facts, "'use strict';\n"));
  return main;
}

/**
 * One module for each entry, and what they share beside them: a class is the same in all of them. The nearest
 * `package.json` is what a bundler asks whether a module that nothing is used of may be left out.
 */
export async function buildModules(folder: string, facts: BuildFacts = buildFacts()): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
  const modules = new Map(entries().map(({ module, source }) => [module, source]));
  const options = { ...ESBUILD_OPTIONS, outdir: folder, format: 'esm', splitting: true } as const;
  const define = { PACKAGE_ROOT: '"../.."' };
  // By itself: only who asks for the page loads it.
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
