/**
 * The rooms of `src/` and what each may import: its own files, the public files of earlier rooms, `node:` modules.
 *
 * `rooms.ts` lists the rooms in their order. There is no circle of imports between files or rooms, types included.
 */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { circlesIn, importsOfSources } from './imports.ts';
import { ROOMS, type Room } from './rooms.ts';

const roomOf = (file: string): string => posix.relative('src', posix.dirname(file)) || '.';
const nameOf = (file: string): string => posix.basename(file, '.ts');

/** What is wrong with an import, or undefined. `imported` is a path from the root, or a package. */
function offence(file: string, imported: string, rooms: readonly Room[]): string | undefined {
  if (imported.startsWith('node:')) return undefined;
  if (!imported.startsWith('src/')) return `${file} imports "${imported}": neither a file of src nor a module of Node`;
  if (!imported.endsWith('.ts')) return `${file} imports "${imported}" without .ts`;
  if (imported === 'src/index.ts' && file !== 'src/program/load-plugins.ts')
    return `${file} imports index.ts, which is for other packages`;
  const [from, to] = [file, imported].map((path) => rooms.findIndex(({ room }) => room === roomOf(path)));
  if (from! < 0 || to! < 0) return `${from! < 0 ? file : imported} is in no room that rooms.ts lists`;
  if (from === to || file === 'src/index.ts') return undefined;
  if (to! > from!) return `${file} imports "${imported}" from a later room`;
  return rooms[to!]!.open.includes(nameOf(imported)) ? undefined : `${file} imports "${imported}", which is not public`;
}

const SAMPLE: readonly Room[] = [
  { room: 'http', open: ['a'] },
  { room: 'http/headers', open: ['c'] },
  { room: 'api', open: [] },
  { room: '.', open: [] },
];

for (const [file, imported, wrong] of [
  ['src/http/b.ts', 'src/http/private.ts', undefined],
  ['src/api/b.ts', 'src/http/a.ts', undefined],
  ['src/api/b.ts', 'src/http/headers/c.ts', undefined],
  ['src/api/b.ts', 'node:fs', undefined],
  ['src/program/app.ts', 'src/http/a.ts', undefined],
  ['src/index.ts', 'src/http/b.ts', undefined],
  ['src/api/b.ts', 'src/http/b.ts', 'not public'],
  ['src/api/b.ts', 'src/http/headers/d.ts', 'not public'],
  ['src/http/b.ts', 'src/http/headers/c.ts', 'later room'],
  ['src/http/a.ts', 'src/api/b.ts', 'later room'],
  ['src/api/b.ts', 'zod', 'neither'],
  ['src/api/b.ts', 'fs', 'neither'],
  ['src/api/b.ts', 'src/api/c', 'without .ts'],
  ['src/program/app.ts', 'src/index.ts', 'other packages'],
  ['src/program/load-plugins.ts', 'src/index.ts', undefined],
  ['src/program/app.ts', 'test/b.ts', 'neither'],
  ['src/utils/a.ts', 'src/http/a.ts', 'no room'],
] as const) {
  test(`layers – ${file} imports ${imported} → ${wrong ?? 'allowed'}`, () => {
    const found = offence(file, imported, SAMPLE);
    assert.equal(found?.includes(wrong ?? '') ?? false, wrong !== undefined, found);
  });
}

const sources = importsOfSources();
const edges = sources.flatMap(({ file, imported }) => imported.map((one) => [file, one] as const));

test('layers – every import of src → its own room or a public file of an earlier one', () => {
  assert.ok(sources.length > 150, `${sources.length} files were found`);
  assert.ok(edges.length > 500, `${edges.length} imports were found`);
  assert.deepEqual(
    edges.flatMap(([file, imported]) => offence(file, imported, ROOMS) ?? []),
    [],
  );
});

test('layers – every room of src, at every depth → listed', () => {
  const rooms = new Set(sources.map(({ file }) => roomOf(file)));
  assert.deepEqual([...rooms].sort(), ROOMS.map(({ room }) => room).sort());
});

test('layers – every public file → is there, and another room imports it', () => {
  const imported = new Set(edges.flatMap(([file, one]) => (roomOf(file) === roomOf(one) ? [] : [one])));
  const open = ROOMS.flatMap(({ room, open }) => open.map((name) => posix.join('src', room, `${name}.ts`)));
  assert.deepEqual(
    open.filter((file) => !imported.has(file)),
    [],
  );
});

const graphOf = (pairs: Iterable<readonly [string, string]>): Map<string, Set<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of pairs) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
};

test('layers – a graph with a circle → it is found', () => {
  const pairs = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'b'],
    ['c', 'd'],
  ] as const;
  assert.deepEqual(circlesIn(graphOf(pairs)), [['b', 'c']]);
  assert.deepEqual(circlesIn(graphOf([['a', 'a']])), [['a']]);
});

test('layers – imports between files, types included → no circle', () => {
  assert.deepEqual(circlesIn(graphOf(edges)), []);
});

test('layers – imports between rooms, types included → no circle', () => {
  const between = edges
    .filter(([file, one]) => one.startsWith('src/') && roomOf(file) !== roomOf(one))
    .map(([file, one]) => [roomOf(file), roomOf(one)] as const);
  assert.deepEqual(circlesIn(graphOf(between)), []);
});
