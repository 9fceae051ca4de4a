/** Builds the program and the library, and compiles the sources, once for all tests. */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../house/source-files.ts';
import { buildModules, buildProgram } from '../release/build.ts';
import { compile } from './compile.ts';

/** Returns the folder with `dist/` and the files that the program reads from the package. */
export async function builtForTests(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'built-')));
  for (const name of ['package.json', 'static']) symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, 'dist/library'), { recursive: true });
  await Promise.all([
    buildProgram(join(folder, 'dist')),
    buildModules(join(folder, 'dist/library')),
    compile(join(folder, 'compiled')),
  ]);
  return folder;
}
