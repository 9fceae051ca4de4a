/**
 * Which files are the project's: what git tracks, and new sources that it does not ignore. What else lies in the
 * checkout – the folder of an editor, a log, notes – is its owner's and judged by no test.
 *
 * Where there is no git, an archive for example, the files are the sources on the disk, and the top level is what the
 * package brings.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MADE = new Set(['node_modules', 'dist', 'coverage']);
const SOURCE = /^(?:src|test)\/(?:[^/.][^/]*\/)*[^/.][^/]*\.(?:ts|mjs|js)$/;

/** Paths below the root, with `/`, in order. `folder` is empty for all of them. */
export function filesIn(folder: string, root = ROOT): string[] {
  const files = trackedFiles(root) ?? onDisk(root);
  return files.filter((path) => folder === '' || path.startsWith(`${folder}/`)).sort();
}

/**
 * The names at the root: of what git tracks, else of what `npm pack` would put into the package; none of what is made.
 */
export function topLevel(root = ROOT): string[] {
  const names = (trackedFiles(root) ?? packed(root)).map((path) => path.split('/')[0]!);
  return [...new Set(names)].filter((name) => !MADE.has(name)).sort();
}

export const textOf = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');

/** Tracked files that are there, and new sources; undefined where there is no git or no repository of its own. */
export function trackedFiles(root = ROOT): string[] | undefined {
  if (!existsSync(join(root, '.git'))) return undefined;
  // A hook of git that runs the tests names another index.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const list = (...options: readonly string[]): string[] =>
    execFileSync('git', ['ls-files', '-z', ...options], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
      .split('\0')
      .filter(Boolean);
  try {
    const added = list('--others', '--exclude-standard').filter((path) => SOURCE.test(path));
    return [...new Set([...list(), ...added])].filter((path) =>
      lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile(),
    );
  } catch {
    return undefined;
  }
}

function onDisk(root: string): string[] {
  const found = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return MADE.has(entry.name) ? [] : found(path);
      return entry.isFile() && SOURCE.test(path) ? [path] : [];
    });
  return ['src', 'test'].flatMap(found);
}

const packages = new Map<string, string[]>();

/** What `npm pack` puts into the package. */
export function packed(root = ROOT): string[] {
  let files = packages.get(root);
  if (files === undefined) packages.set(root, (files = listedByNpm(root)));
  return files;
}

function listedByNpm(root: string): string[] {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  // An array, or by a newer npm an object.
  const [{ files }] = Object.values(JSON.parse(listed) as object) as [
    { readonly files: readonly { readonly path: string }[] },
  ];
  return files.map(({ path }) => path);
}
