/** One direction of imports: a file's own folder and those to its left, `node:` modules, nothing else, never index.ts. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { filesIn, textOf } from './source-files.ts';

const LAYERS = ['http', 'pipeline', 'routing', 'api', 'host', 'plugins', 'todo', 'settings', '.'];

/** What is wrong with an import, or undefined. */
function offence(file: string, imported: string): string | undefined {
  if (imported.startsWith('node:')) return undefined;
  if (!imported.startsWith('.')) return `${file} imports the package "${imported}"`;
  if (!imported.endsWith('.ts')) return `${file} imports "${imported}" without .ts`;
  const target = posix.join(posix.dirname(file), imported);
  if (!target.startsWith('src/')) return `${file} imports "${imported}" from outside src`;
  if (target === 'src/index.ts') return `${file} imports index.ts`;
  const [from, to] = [file, target].map((path) =>
    LAYERS.indexOf(posix.relative('src', posix.dirname(path)) || '.'),
  ) as [number, number];
  if (from < 0 || to < 0) return `${from < 0 ? file : target} is in no layer`;
  return to > from ? `${file} imports "${imported}", from a layer to its right` : undefined;
}

const importsIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:import|export)\b[^'";]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm)].map(
    (found) => (found[1] ?? found[2] ?? found[3])!,
  );

for (const [file, imported, wrong] of [
  ['src/http/a.ts', './b.ts', false],
  ['src/api/a.ts', '../http/b.ts', false],
  ['src/api/a.ts', 'node:fs', false],
  ['src/a.ts', './todo/b.ts', false],
  ['src/http/a.ts', '../api/b.ts', true],
  ['src/todo/a.ts', '../b.ts', true],
  ['src/api/a.ts', 'zod', true],
  ['src/api/a.ts', './b', true],
  ['src/a.ts', './index.ts', true],
  ['src/a.ts', '../test/b.ts', true],
  ['src/utils/a.ts', './b.ts', true],
  ['src/api/a.ts', 'fs', true],
] as const) {
  test(`layers – ${file} imports ${imported} → ${wrong ? 'refused' : 'allowed'}`, () => {
    assert.equal(offence(file, imported) !== undefined, wrong);
  });
}

test('layers – every import of src → its own folder or one to its left', () => {
  const files = filesIn('src').filter((path) => path.endsWith('.ts'));
  assert.ok(files.length > 80);
  const imports = files.flatMap((file) => importsIn(textOf(file)).map((imported) => [file, imported] as const));
  assert.ok(imports.length > 300, `${imports.length} imports were found`);
  assert.deepEqual(
    imports.flatMap(([file, imported]) => offence(file, imported) ?? []),
    [],
  );
});
