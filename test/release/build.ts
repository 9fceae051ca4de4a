/**
 * Builds `dist/`, for `npm run build` and `npm pack`.
 *
 *     dist/main.js               starts the program, or says that Node is too old
 *     dist/program-VERSION.cache what the Node that builds has compiled of it; the package has none
 *     dist/program.js            the program, in CommonJS
 *     dist/on-demand.js          what it loads for a setting or a command that asks for it
 *     dist/library/index.js      the main entry of the library, with its types beside it
 *     dist/library/cors.js       todo-item-service/cors, and so each entry that package.json names
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type BuildFacts, buildFacts, ROOT } from './build-facts.ts';
import { CODE_TEXT, writeCodeCache } from './code-cache.ts';
import { writeDeclarations } from './declarations.ts';
import { embeddedPage } from './embedded-page.ts';
import { entries } from './entries.ts';
import { ESBUILD_OPTIONS } from './esbuild-options.ts';
import { bundledProgram } from './program.ts';
import { RUN_TEXT } from './run-text.ts';
import { START_TEXT } from './start-text.ts';

const MAIN = `${START_TEXT}
const part = (name) => require('node:fs').readFileSync(require('node:path').join(__dirname, name));
${CODE_TEXT}${RUN_TEXT}
const cached = cachedProgram(part);
if (cached) run(cached.text, () => part('on-demand.js').toString('latin1'), [], cached.code);
else require('./program.js');
`;

/** Writes the program to `folder`; returns the path to start it by. The page is looked for in `../static` of it. */
export async function buildProgram(folder: string, facts: BuildFacts = buildFacts()): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const main = join(folder, 'main.js');
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  writeFileSync(main, MAIN, { mode: 0o755 });
  const { program, onDemand } = await bundledProgram(facts);
  writeFileSync(join(folder, 'program.js'), program);
  writeFileSync(join(folder, 'on-demand.js'), onDemand);
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
  try {
    writeCodeCache(process.execPath, dist, 'main.js');
  } catch (error) {
    // A system that lets no program listen, for example. The program starts without.
    console.error(`No code cache is made: ${(error as Error).message}`);
  }
  await buildModules(join(dist, 'library'), facts);
  const sources = entries().map(({ source }) => source);
  writeDeclarations(sources, join(dist, 'library'));
}
