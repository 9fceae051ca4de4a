/**
 * Bundles the program, in CommonJS: it starts a tenth faster than modules, and `--require` can watch it load.
 *
 * It is two files, since V8 reads the whole of a file before it runs a line of it. The first has what a start needs,
 * the second what the sources import by `import()`, for a setting or a command that asks for it. A module is in one of
 * them, and the second takes from the first what is there. In a bundle of one file each module would be a function, for
 * the sake of those that are imported later, and what is constant in it a variable.
 */
import { relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type BuildFacts, ROOT, versionText } from './build-facts.ts';
import { ESBUILD_OPTIONS } from './esbuild-options.ts';

/** The texts of both files, in strict mode, for a folder of the package. The program requires `./on-demand.js`. */
export interface ProgramTexts {
  readonly program: string;
  readonly onDemand: string;
}

/** Imported by `import()`, but for most services, or for the health check of the image: they are in the program. */
const EARLY = [
  'src/program/ask-health.ts',
  'src/extensions/logs/access-log.ts',
  'src/extensions/health/health.ts',
  'src/extensions/logs/trace-context.ts',
];

const MODULE_URL = `const moduleUrl=require('node:url').pathToFileURL(__filename).href;`;
/** `shared(path)` is a module of the program, `onDemand(path)` one of either file. */
const PROGRAM_HEAD = `'use strict';${MODULE_URL}let shared,others;const onDemand=(path)=>shared(path)??(others??=require('./on-demand.js')(shared))(path);`;
const ON_DEMAND_HEAD = `'use strict';${MODULE_URL}module.exports=(shared)=>{`;

export async function bundledProgram(facts: BuildFacts): Promise<ProgramTexts> {
  const options: BuildOptions = {
    ...ESBUILD_OPTIONS,
    write: false,
    metafile: true,
    define: {
      BUILT_VERSION: JSON.stringify(versionText(facts)),
      PACKAGE_ROOT: '".."',
      'import.meta.url': 'moduleUrl',
      'import.meta.dirname': '__dirname',
    },
  };
  const sources = new Set<string>();
  let program = await programText(options, await exportsOf(EARLY));
  for (;;) {
    for (const path of program.sources) sources.add(path);
    const shared = await exportsOf(sources);
    const onDemand = await onDemandText(options, program.requested, shared);
    const taken = new Map([...shared].filter(([path]) => onDemand.taken.has(path) || EARLY.includes(path)));
    program = await programText(options, taken);
    // What is kept for the other file may need a module that was not in the program: it must not be in both.
    if (program.sources.every((path) => sources.has(path)))
      return { program: ascii(program.text), onDemand: ascii(onDemand.text) };
  }
}

/** The names of exports, by the path of their module. */
type Exports = ReadonlyMap<string, readonly string[]>;

/** The program, which gives these exports to the other file; the modules that it imports on demand. */
async function programText(options: BuildOptions, shared: Exports) {
  const requested = new Set<string>();
  const importOnDemand: Plugin = {
    name: 'import on demand',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const source = sourceOf(resolveDir, path);
        requested.add(source);
        return { path: source, namespace: 'on demand' };
      });
      onLoad({ filter: /./, namespace: 'on demand' }, ({ path }) => ({
        contents: `module.exports = onDemand('${path}')`,
      }));
    },
  };
  const modules = [...shared].map(([path, names], at) => ({
    path,
    names: names.map((name) => [name, `${name}_${at}`]),
  }));
  const contents = [
    "import './src/main.ts';",
    ...modules.map(
      ({ path, names }) => `import { ${names.map(([name, own]) => `${name} as ${own}`)} } from './${path}';`,
    ),
    'const modules = {',
    ...modules.map(({ path, names }) => `'${path}': () => ({ ${names.map(([name, own]) => `${name}: ${own}`)} }),`),
    '};',
    'shared = (path) => modules[path]?.();',
  ].join('\n');
  const { outputFiles, metafile } = await build({
    ...options,
    stdin: { contents, resolveDir: ROOT },
    format: 'cjs',
    banner: { js: PROGRAM_HEAD },
    // What Node has is required then too: a script that is compiled from a code cache cannot import.
    supported: { 'dynamic-import': false },
    plugins: [importOnDemand],
  });
  return { text: outputFiles![0]!.text, requested, sources: sourcesOf(metafile!) };
}

/** The modules that are imported on demand and are not in the program; what they take from it. */
async function onDemandText(options: BuildOptions, requested: ReadonlySet<string>, program: Exports) {
  const taken = new Set<string>();
  const takeFromProgram: Plugin = {
    name: 'take from the program',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const source = sourceOf(resolveDir, path);
        return program.has(source) ? { path: source, namespace: 'program' } : undefined;
      });
      onLoad({ filter: /./, namespace: 'program' }, ({ path }) => {
        taken.add(path);
        return { contents: `export const { ${program.get(path)!} } = shared('${path}')` };
      });
    },
  };
  // Modules are resolved at the same time, in an order that differs.
  const own = [...requested].filter((path) => !program.has(path)).sort();
  const contents = [
    'const modules = {',
    ...own.map((path) => `'${path}': () => require('./${path}'),`),
    '};',
    'export const moduleOf = (path) => modules[path]();',
  ].join('\n');
  const { outputFiles } = await build({
    ...options,
    stdin: { contents, resolveDir: ROOT },
    format: 'iife',
    globalName: 'onDemand',
    banner: { js: ON_DEMAND_HEAD },
    footer: { js: 'return onDemand.moduleOf;};' },
    plugins: [takeFromProgram],
  });
  return { text: outputFiles![0]!.text, taken };
}

/** All exports of modules. */
async function exportsOf(sources: Iterable<string>): Promise<Exports> {
  const entryPoints = [...sources];
  const { metafile } = await build({ absWorkingDir: ROOT, entryPoints, outdir: '.', write: false, metafile: true });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint!, exports]));
}

/** The path of a source, from the root of the project. */
const sourceOf = (folder: string, path: string): string => relative(ROOT, resolve(folder, path));

/** The sources of which something is in the text. */
function sourcesOf({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const taken = inputs.filter(([path, { bytesInOutput }]) => path.startsWith('src/') && bytesInOutput > 0);
  return taken.map(([path]) => path);
}

// Only comments have other characters. With one of them V8 would keep two bytes for each of the text.
const ascii = (text: string): string => text.replace(/[^\x00-\x7f]/g, '?');
