/** Compiles the sources once for all processes. tsx compiles them in each process, which takes several times as long. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { filesIn, ROOT } from '../house/source-files.ts';

/** Writes each module of `src/` and `test/` to a folder, for `compiled-hooks.mjs`. An exercise may not compile yet. */
export async function compile(folder: string): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: filesIn('').filter((path) => /^(?:src|test)\/.*\.ts$/.test(path) && !path.endsWith('/exercise.ts')),
    // esbuild writes no files. The paths in a source map are relative to this folder.
    outdir: ROOT,
    outbase: ROOT,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    keepNames: true,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  for (const { path, contents } of outputFiles) {
    const file = join(folder, relative(ROOT, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
}
