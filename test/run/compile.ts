/** Compiles the sources once for all processes: tsx, which does it in each of them, takes several times as long. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { filesIn, ROOT } from '../house/source-files.ts';

/** Writes each module of `src/` and `test/` below a folder, for `compiled-hooks.mjs`; a learner's may not compile. */
export async function compile(folder: string): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: filesIn('').filter((path) => /^(?:src|test)\/.*\.ts$/.test(path) && !path.endsWith('/exercise.ts')),
    // Not written there: a source map names its source from where the module says that it is.
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
