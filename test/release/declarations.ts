/** Writes the types of the library, only for modules that its entries import. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './build-facts.ts';

/** The program of the TypeScript compiler. */
export const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

/** Writes the declarations of all sources. Throws with the compiler's output if they do not compile. */
export function emitDeclarations(folder: string, ...options: readonly string[]): void {
  // With several threads, the order of the members of an inferred union could change.
  const emit = ['--emitDeclarationOnly', '--singleThreaded', ...options, '--outDir', folder];
  const { status, stdout } = spawnSync(process.execPath, [COMPILER, ...emit], { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot write the declarations: ${stdout}`);
}

/**
 * Writes the declarations of these sources, such as `src/index.ts`, and of their imports, to `folder`. The paths are
 * the same as below `src/`.
 */
export function writeDeclarations(sources: readonly string[], folder: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    emitDeclarations(emitted);
    const reached = new Set<string>();
    for (const source of sources) reach(source.replace(/^src\/(.+)\.ts$/, '$1.d.ts'), emitted, reached);
    for (const path of reached) cpSync(join(emitted, path), join(folder, path));
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

function reach(path: string, root: string, reached: Set<string>): void {
  if (reached.has(path)) return;
  reached.add(path);
  const text = readFileSync(join(root, path), 'utf8');
  for (const [, imported] of text.matchAll(/(?:\bfrom |\bimport\()["'](\.[^"']+)\.[jt]s["']/g))
    reach(`${join(dirname(path), imported!)}.d.ts`, root, reached);
}
