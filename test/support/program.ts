/** Returns the commands to start the program and the library: built by `test/run/run.ts`, or from the sources. */
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { entries } from '../release/entries.ts';
import { ESBUILD_OPTIONS } from '../release/esbuild-options.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the build; undefined if a test file runs without `run.ts`. */
const BUILT = process.env['BUILT_FOR_TESTS'];

/** The arguments for node to run sources from the output of `test/run/compile.ts`. */
export const SOURCE_LOADER: readonly string[] = sourceLoader(BUILT);

/** Returns the same arguments for another build. */
export function sourceLoader(built: string | undefined): readonly string[] {
  return ['--import', built === undefined ? 'tsx' : join(ROOT, 'test/run/load-compiled.mjs')];
}

/** The arguments for node to start the service. Append the flags. From the sources, it starts a second later. */
export const PROGRAM: readonly string[] =
  BUILT === undefined ? ['--import', 'tsx', join(ROOT, 'src/main.ts')] : [join(BUILT, 'dist/main.js')];

/** Runs the service to its end with these arguments, in the folder of the project. */
export const runProgram = (...args: readonly string[]) =>
  spawnSync(process.execPath, [...PROGRAM, ...args], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });

/** Returns the arguments for node to start another program of the sources, such as `src/service/commands.ts`. */
export function programOf(source: string): readonly string[] {
  if (BUILT === undefined) return ['--import', 'tsx', join(ROOT, source)];
  const outfile = join(BUILT, 'dist', `${basename(source, '.ts')}.mjs`);
  buildSync({
    ...ESBUILD_OPTIONS,
    keepNames: true,
    entryPoints: [source],
    outfile,
    format: 'esm',
    define: { PACKAGE_ROOT: '".."', BUILT_VERSION: '"built for tests"' },
  });
  return [outfile];
}

/** The arguments for node to run a JavaScript program whose text comes from `withLibrary`. */
export const LOADER: readonly string[] = BUILT === undefined ? ['--import', 'tsx'] : [];

/** Replaces the entries of the library in the text of a program with the file addresses of their modules. */
export function withLibrary(text: string): string {
  return entries().reduce(
    (all, { specifier, module, source }) =>
      all.replaceAll(
        `'${specifier}'`,
        `'${pathToFileURL(BUILT === undefined ? join(ROOT, source) : join(BUILT, `dist/library/${module}.js`))}'`,
      ),
    text,
  );
}
