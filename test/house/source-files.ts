/**
 * Which files are the project's: the sources, pages and settings below its own folders. What else lies in the checkout
 * – the folder of an editor, a log, notes, what a build has written – is judged by no test. Git is not asked, so an
 * archive of the sources is judged as a clone is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the project, and its files beside them. */
const FOLDERS = ['.ci', 'src', 'static', 'test'];
const TOP = ['Dockerfile', 'LICENSE', 'README.md', 'package-lock.json', 'package.json', 'tsconfig.json'];
/** Folders that a command writes. */
const WRITTEN = new Set(['node_modules', 'dist', 'coverage', 'generated']);
/** An editor writes its settings and its locks beside the sources: `.idea/`, `.#a.ts`, `a.ts~`. */
const isForeign = (name: string): boolean => /^\.|~$|\.(?:log|swp)$/.test(name) || WRITTEN.has(name);

/** Paths below the root, with `/`, in order. `folder` is empty for all of them. */
export function filesIn(folder: string, root = ROOT): string[] {
  if (folder !== '') return filesBelow(folder, root).sort();
  return [
    ...TOP.filter((name) => existsSync(join(root, name))),
    ...FOLDERS.flatMap((path) => filesBelow(path, root)),
  ].sort();
}

function filesBelow(folder: string, root: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (isForeign(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(path, root);
    return entry.isFile() ? [path] : [];
  });
}

export const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

let packedFiles: string[] | undefined;

/** What `npm pack` puts into the package. */
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
  // An array, or by a newer npm an object.
  const [{ files }] = Object.values(JSON.parse(listed) as object) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return files.map(({ path }) => path);
}
