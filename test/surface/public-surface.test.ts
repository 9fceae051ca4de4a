/** Tests that the public surface equals its file. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT, textOf } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';
import { exportedNames } from './exported-names.ts';
import { publicSurface, SURFACE } from './public-surface.ts';

test('surface – the declarations of the compiler → equal the file of the public surface', () => {
  const [now, written] = [publicSurface(), textOf(SURFACE)];
  assert.equal(now, written, `The public surface has changed. If the change is intended, run npm run surface`);
});

for (const { specifier, source } of entries()) {
  test(`surface – the values that ${specifier} names → equal those that it exports`, async () => {
    const names = exportedNames().filter((name) => name.specifier === specifier);
    const values = names.flatMap(({ name, isType }) => (isType ? [] : [name]));
    const module = (await import(pathToFileURL(join(ROOT, source)).href)) as object;
    assert.deepEqual(values.sort(), Object.keys(module).sort());
  });
}

test('surface – the main entry → has at most 70 names; all entries but /extending have 185; no name is exported twice', () => {
  const names = exportedNames();
  assert.ok(names.filter(({ specifier }) => specifier === 'todo-item-service').length <= 70);
  const others = names.filter(({ specifier }) => specifier !== 'todo-item-service/extending').length;
  assert.ok(others <= 185, `${others} names`);
  const twice = names.filter(({ name }, at) => names.findIndex((other) => other.name === name) < at);
  assert.deepEqual(
    twice.map(({ name }) => name),
    [],
  );
});
