/**
 * Checks the imports of `src/` against the floors in `src/README.md`.
 *
 * A folder of the core imports from itself and from the folders above it in the table of that page. The operations
 * import from the core, but not from the server. A plugin imports from the core, the operations, its own folder and
 * the libraries. A folder of the shelf imports only entries of the package. The service and `testing` import from all
 * of them. Imports, including types, have no cycles between files or folders.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { entries } from '../release/entries.ts';
import { circlesIn, importsOfSources } from './imports.ts';
import { CORE, LIBRARIES, PLUGINS, SHELF } from './layout.ts';
import { filesIn, textOf } from './source-files.ts';

const LISTED = [...CORE, ...PLUGINS, ...SHELF];
const ENTRIES = ['src/index.ts', 'src/http.ts', 'src/extending.ts'];
/** The sources of the entries of the package. */
const PUBLIC = new Set(entries().map(({ source }) => source));

/** Returns the files that are loaded with `file`: itself, and what it imports other than by `import(…)` or as a type. */
function loadedWith(file: string, loaded = new Set<string>()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  for (const [, path] of textOf(file).matchAll(/^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)';/gm))
    loadedWith(posix.join(posix.dirname(file), path!), loaded);
  return loaded;
}

/**
 * Returns the folder of a file: `core/server` for `src/core/server/body/read-body.ts`, `operations` or `service` for all
 * their files. A file directly in `src/` has no folder, so its path is returned.
 */
function folderOf(file: string): string {
  const [layer = '', name = ''] = posix.relative('src', file).split('/');
  if (layer === 'operations' || layer === 'service') return layer;
  return layer === 'core' || layer === 'plugins' || layer === 'shelf' ? `${layer}/${name}` : file;
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
    if (/^(?:core|plugins|shelf)\//.test(folder) && !LISTED.includes(folder))
      return `${path} is not in a folder that src/README.md lists`;
  if (from === to || from === file) return undefined;
  if (from.startsWith('core/')) {
    const isBelow = CORE.includes(to) && CORE.indexOf(to) < CORE.indexOf(from);
    return isBelow ? undefined : `${file} imports "${imported}" from a later folder`;
  }
  if (from === 'operations')
    return to.startsWith('core/') && to !== 'core/server'
      ? undefined
      : `${file} imports "${imported}" of the server or a higher layer`;
  if (from.startsWith('shelf/'))
    return PUBLIC.has(imported) ? undefined : `${file} imports "${imported}", which is not an entry of the package`;
  if (to.startsWith('shelf/')) return from === 'service' ? undefined : `${file} imports "${imported}" of the shelf`;
  if (to === 'service') return `${file} imports "${imported}" of the service`;
  if (
    from === 'service' ||
    ENTRIES.includes(from) ||
    ENTRIES.includes(to) ||
    to === 'operations' ||
    to.startsWith('core/')
  )
    return undefined;
  if (LIBRARIES.includes(to)) return undefined;
  return `${file} imports "${imported}" of another plugin, which is not a library`;
}

const sources = importsOfSources();
const edges = sources.flatMap(({ file, imported }) => imported.map((path) => [file, path] as const));

test('floors – every import of src → its own folder, an earlier folder or a library', () => {
  assert.ok(sources.length > 100, `${sources.length} files were found`);
  assert.ok(edges.length > 300, `${edges.length} imports were found`);
  assert.deepEqual(
    edges.flatMap(([file, imported]) => offence(file, imported) ?? []),
    [],
  );
});

test('floors – a start of the service without settings → loads nothing of the shelf', () => {
  const loaded = [...loadedWith('src/main.ts')];
  assert.ok(loaded.length > 100, `${loaded.length} files are loaded`);
  assert.deepEqual(
    loaded.filter((file) => file.startsWith('src/shelf/')),
    [],
  );
});

test('floors – every folder of src → is listed in src/README.md', () => {
  const folders = new Set(
    sources.map(({ file }) => folderOf(file)).filter((folder) => /^(?:core|plugins|shelf)\//.test(folder)),
  );
  assert.deepEqual([...folders].sort(), [...LISTED].sort());
});

const graphOf = (pairs: Iterable<readonly [string, string]>): Map<string, Set<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of pairs) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
};

test('floors – imports between files, including types → have no cycle', () =>
  assert.deepEqual(circlesIn(graphOf(edges)), []));

test('floors – imports between folders, including types → have no cycle', () => {
  const between = edges
    .filter(([file, path]) => path.startsWith('src/') && folderOf(file) !== folderOf(path))
    .map(([file, path]) => [folderOf(file), folderOf(path)] as const);
  assert.deepEqual(circlesIn(graphOf(between)), []);
});

test('floors – the tests of the values, the pipeline and the routing → open no socket', () => {
  const files = ['http', 'pipeline', 'routing'].flatMap((folder) => filesIn(`test/core/${folder}`));
  assert.ok(files.length > 20, `${files.length} files`);
  const opening = /\/support\/ask\.ts'|node:(?:net|http)'|\b(?:serve(?:Handler|Plugins)?|listen)\(/;
  assert.deepEqual(
    files.filter((file) => opening.test(textOf(file))),
    [],
  );
});
