/** Compiles programs against the sources, as the compiler of an author would, and gives what it says. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../house/source-files.ts';
import { COMPILER } from '../release/declarations.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The sources are compiled as they are imported, so these are settings for programs and for them. */
const compilerOptions = {
  noEmit: true,
  rootDir: '/',
  declaration: false,
  rewriteRelativeImportExtensions: false,
  allowImportingTsExtensions: true,
  noUnusedLocals: false,
  typeRoots: [join(ROOT, 'node_modules/@types')],
};

/** What the compiler says of the programs, by the names of their files, and its exit code. */
export function compiled(programs: Readonly<Record<string, string>>): { status: number | null; stdout: string } {
  const folder = temporaryFolder({
    ...programs,
    'package.json': '{"type":"module"}',
    'tsconfig.json': JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
  });
  return spawnSync(process.execPath, [COMPILER, '-p', '.'], { cwd: folder, encoding: 'utf8' });
}
