/**
 * What each file of `src/` may import, as `src/README.md` says it.
 *
 * A room of the core imports from itself and from the rooms above it in the table of that page. The operations import
 * from the core, an extension from both, from its own folder and from the libraries. The program imports from all of
 * them. There is no circle of imports between files or rooms, types included.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { circlesIn, importsOfSources } from './imports.ts';
import { CORE, EXTENSIONS, LIBRARIES } from './layout.ts';

/**
 * `core/wire` for `src/core/wire/body/read-body.ts`, `operations` or `program` for all files there, the path itself for
 * a file of `src/`.
 */
function roomOf(file: string): string {
  const [storey = '', room = ''] = posix.relative('src', file).split('/');
  if (storey === 'operations' || storey === 'program') return storey;
  return storey === 'core' || storey === 'extensions' ? `${storey}/${room}` : file;
}

/** What is wrong with an import, or undefined. `imported` is a path from the root, or a package. */
function offence(file: string, imported: string): string | undefined {
  if (imported.startsWith('node:')) return undefined;
  if (!imported.startsWith('src/')) return `${file} imports "${imported}": neither a file of src nor a module of Node`;
  if (!imported.endsWith('.ts')) return `${file} imports "${imported}" without .ts`;
  const [from, to] = [roomOf(file), roomOf(imported)];
  for (const [path, room] of [
    [file, from],
    [imported, to],
  ] as const)
    if (/^(?:core|extensions)\//.test(room) && !CORE.includes(room) && !EXTENSIONS.includes(room))
      return `${path} is in no room that src/README.md lists`;
  if (from === to || from === file) return undefined;
  if (from.startsWith('core/')) {
    const isBelow = CORE.includes(to) && CORE.indexOf(to) < CORE.indexOf(from);
    return isBelow ? undefined : `${file} imports "${imported}" from a later room`;
  }
  if (from === 'operations')
    return to.startsWith('core/') ? undefined : `${file} imports "${imported}" of a later storey`;
  if (to === 'program') return `${file} imports "${imported}" of the program`;
  if (from === 'program' || to === 'operations' || to.startsWith('core/')) return undefined;
  if (LIBRARIES.includes(to)) return undefined;
  return `${file} imports "${imported}", which is of another extension and not of a library`;
}

const sources = importsOfSources();
const edges = sources.flatMap(({ file, imported }) => imported.map((one) => [file, one] as const));

test('layers – every import of src → its own room, one before it, or a library', () => {
  assert.ok(sources.length > 100, `${sources.length} files were found`);
  assert.ok(edges.length > 300, `${edges.length} imports were found`);
  assert.deepEqual(
    edges.flatMap(([file, imported]) => offence(file, imported) ?? []),
    [],
  );
});

test('layers – every room of src → listed in src/README.md', () => {
  const rooms = new Set(
    sources
      .map(({ file }) => roomOf(file))
      .filter((room) => room.startsWith('core/') || room.startsWith('extensions/')),
  );
  assert.deepEqual([...rooms].sort(), [...CORE, ...EXTENSIONS].sort());
});

const graphOf = (pairs: Iterable<readonly [string, string]>): Map<string, Set<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of pairs) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
};

test('layers – imports between files, types included → no circle', () =>
  assert.deepEqual(circlesIn(graphOf(edges)), []));

test('layers – imports between rooms, types included → no circle', () => {
  const between = edges
    .filter(([file, one]) => one.startsWith('src/') && roomOf(file) !== roomOf(one))
    .map(([file, one]) => [roomOf(file), roomOf(one)] as const);
  assert.deepEqual(circlesIn(graphOf(between)), []);
});
