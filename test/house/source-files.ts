/**
 * Lists the files of the project: sources, pages and settings. The tests ignore other files in the checkout, such as
 * settings of an editor, logs, notes and build output. The list does not depend on Git, so it works in an archive.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the project and the files in its root. */
const FOLDERS = ['.ci', 'src', 'static', 'test'];
const TOP = ['Dockerfile', 'LICENSE', 'README.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Folders that a command writes. */
const WRITTEN = new Set(['node_modules', 'dist', 'coverage', 'generated']);
/** Editors write settings and lock files beside the sources: `.idea/`, `.#a.ts`, `a.ts~`. */
const isForeign = (name: string): boolean => /^\.|~$|\.(?:log|swp)$/.test(name) || WRITTEN.has(name);

/** Returns the sorted paths below the root, with `/`. An empty `folder` returns all files. */
export function filesIn(folder: string): string[] {
  if (folder !== '') return filesBelow(folder).sort();
  return [...TOP.filter((name) => existsSync(join(ROOT, name))), ...FOLDERS.flatMap((path) => filesBelow(path))].sort();
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (isForeign(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

export const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

let packedFiles: string[] | undefined;

/** Returns the files that `npm pack` puts into the package. */
export function packed(): string[] {
  packedFiles ??= listedByNpm();
  return packedFiles;
}

function listedByNpm(): string[] {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  // An array, or an object in newer versions of npm.
  const [{ files }] = Object.values(JSON.parse(listed) as object) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return files.map(({ path }) => path);
}
