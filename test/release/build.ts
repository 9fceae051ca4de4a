/**
 * Builds `dist/`, for `npm run build` and `npm pack`.
 *
 *     dist/main.js               starts the program, or says that Node is too old
 *     dist/program.js            the program, in CommonJS
 *     dist/library/index.js      the library as one ES module, with its types beside it
 *     dist/library/page.js       the interactive page as a value: todo-item-service/page
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type BuildFacts, buildFacts, ROOT } from './build-facts.ts';
import { writeDeclarations } from './declarations.ts';
import { embeddedPage } from './embedded-page.ts';
import { ESBUILD_OPTIONS } from './esbuild-options.ts';
import { bundledProgram } from './program.ts';
import { START_TEXT } from './start-text.ts';

const PAGE = 'extensions/swagger-page/page';

/** Writes the program to `folder`; returns the path to start it by. The page is looked for in `../static` of it. */
export async function buildProgram(folder: string, facts: BuildFacts = buildFacts()): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'main.js');
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(main, `${START_TEXT}require('./program.js');\n`, { mode: 0o755 });
  writeFileSync(join(folder, 'program.js'), await bundledProgram(facts));
  return main;
}

/** The nearest `package.json` is what a bundler asks whether a module that nothing is used of may be left out. */
async function buildLibrary(folder: string, facts: BuildFacts): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
  const module = { ...ESBUILD_OPTIONS, outdir: folder, format: 'esm', define: { PACKAGE_ROOT: '"../.."' } } as const;
  await build({ ...module, entryPoints: { index: 'src/index.ts' } });
  const EMBEDDED_PAGE = JSON.stringify(embeddedPage(facts));
  await build({ ...module, entryPoints: { page: `src/${PAGE}.ts` }, define: { ...module.define, EMBEDDED_PAGE } });
  writeDeclarations(['index', PAGE], folder);
}

if (process.argv[1] === import.meta.filename) {
  const facts = buildFacts();
  const dist = join(ROOT, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await buildProgram(dist, facts);
  await buildLibrary(join(dist, 'library'), facts);
}
