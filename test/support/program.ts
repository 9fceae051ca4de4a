/** What tests start: the program and the library as `test/run/run.ts` has built them, or the sources. */
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { entries } from '../release/entries.ts';
import { ESBUILD_OPTIONS } from '../release/esbuild-options.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of the build; undefined where a file runs by itself. */
const BUILT = process.env['BUILT_FOR_TESTS'];

/** The arguments for node that let it run sources, as `test/run/compile.ts` has compiled them. */
export const SOURCE_LOADER: readonly string[] = sourceLoader(BUILT);

/** The same for a build that this process has made. */
export function sourceLoader(built: string | undefined): readonly string[] {
  return ['--import', built === undefined ? 'tsx' : join(ROOT, 'test/run/load-compiled.mjs')];
}

/** The arguments for node that start the service; flags follow. From the sources the start takes a second longer. */
export const PROGRAM: readonly string[] =
  BUILT === undefined ? ['--import', 'tsx', join(ROOT, 'src/main.ts')] : [join(BUILT, 'dist/main.js')];

/** The arguments for node that start another program of the sources, such as `src/program/commands.ts`. */
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

/** The arguments for node that a program in JavaScript needs whose text is made by `withLibrary`. */
export const LOADER: readonly string[] = BUILT === undefined ? ['--import', 'tsx'] : [];

/** The text of a program with the addresses of the library's modules in place of the names of its entries. */
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
