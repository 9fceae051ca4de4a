/**
 * Checks the imports of `src/` against the layers in `src/README.md`.
 *
 * A folder of the core imports from itself and from the folders above it in the table of that page. The operations
 * import from the core. An extension imports from the core, the operations, its own folder and the libraries. The
 * program imports from all of them. Imports, including types, have no cycles between files or folders.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { circlesIn, importsOfSources } from './imports.ts';
import { CORE, EXTENSIONS, LIBRARIES } from './layout.ts';

/**
 * Returns the folder of a file: `core/wire` for `src/core/wire/body/read-body.ts`, `operations` or `program` for all
 * their files. A file directly in `src/` has no folder, so its path is returned.
 */
function folderOf(file: string): string {
  const [layer = '', name = ''] = posix.relative('src', file).split('/');
  if (layer === 'operations' || layer === 'program') return layer;
  return layer === 'core' || layer === 'extensions' ? `${layer}/${name}` : file;
}

/** Returns a message if an import is not allowed. `imported` is a path from the root, or a package. */
function offence(file: string, imported: string): string | undefined {
  if (imported.startsWith('node:')) return undefined;
  if (!imported.startsWith('src/')) return `${file} imports "${imported}": neither a file of src nor a module of Node`;
  if (!imported.endsWith('.ts')) return `${file} imports "${imported}" without .ts`;
  const [from, to] = [folderOf(file), folderOf(imported)];
  for (const [path, folder] of [
    [file, from],
    [imported, to],
  ] as const)
    if (/^(?:core|extensions)\//.test(folder) && !CORE.includes(folder) && !EXTENSIONS.includes(folder))
      return `${path} is not in a folder that src/README.md lists`;
  if (from === to || from === file) return undefined;
  if (from.startsWith('core/')) {
    const isBelow = CORE.includes(to) && CORE.indexOf(to) < CORE.indexOf(from);
    return isBelow ? undefined : `${file} imports "${imported}" from a later folder`;
  }
  if (from === 'operations')
    return to.startsWith('core/') ? undefined : `${file} imports "${imported}" of a higher layer`;
  if (to === 'program') return `${file} imports "${imported}" of the program`;
  if (from === 'program' || to === 'operations' || to.startsWith('core/')) return undefined;
  if (LIBRARIES.includes(to)) return undefined;
  return `${file} imports "${imported}" of another extension, which is not a library`;
}

const sources = importsOfSources();
const edges = sources.flatMap(({ file, imported }) => imported.map((path) => [file, path] as const));

test('layers – every import of src → its own folder, an earlier folder or a library', () => {
  assert.ok(sources.length > 100, `${sources.length} files were found`);
  assert.ok(edges.length > 300, `${edges.length} imports were found`);
  assert.deepEqual(
    edges.flatMap(([file, imported]) => offence(file, imported) ?? []),
    [],
  );
});

test('layers – every folder of src → is listed in src/README.md', () => {
  const folders = new Set(
    sources
      .map(({ file }) => folderOf(file))
      .filter((folder) => folder.startsWith('core/') || folder.startsWith('extensions/')),
  );
  assert.deepEqual([...folders].sort(), [...CORE, ...EXTENSIONS].sort());
});

const graphOf = (pairs: Iterable<readonly [string, string]>): Map<string, Set<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of pairs) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
};

test('layers – imports between files, including types → have no cycle', () =>
  assert.deepEqual(circlesIn(graphOf(edges)), []));

test('layers – imports between folders, including types → have no cycle', () => {
  const between = edges
    .filter(([file, path]) => path.startsWith('src/') && folderOf(file) !== folderOf(path))
    .map(([file, path]) => [folderOf(file), folderOf(path)] as const);
  assert.deepEqual(circlesIn(graphOf(between)), []);
});
