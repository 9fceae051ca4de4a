/** The public surface is what its file says. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT, textOf } from '../house/source-files.ts';
import { entries } from '../release/entries.ts';
import { exportedNames, namesOf } from './exported-names.ts';
import { publicSurface, SURFACE, surfaceOf } from './public-surface.ts';

test('surface – what the compiler declares → the file of the public surface', () => {
  const [now, written] = [publicSurface(), textOf(SURFACE)];
  assert.equal(now, written, `The public surface has changed. Is it meant to? Then: npm run surface`);
});

for (const { specifier, source } of entries()) {
  test(`surface – the values that ${specifier} names → those that it has`, async () => {
    const names = exportedNames().filter((name) => name.specifier === specifier);
    const values = names.flatMap(({ name, isType }) => (isType ? [] : [name]));
    const module = (await import(pathToFileURL(join(ROOT, source)).href)) as object;
    assert.deepEqual(values.sort(), Object.keys(module).sort());
  });
}

test('surface – the main entry → at most 70 names, 220 in all entries, and no name in two entries', () => {
  const names = exportedNames();
  assert.ok(names.filter(({ specifier }) => specifier === 'todo-item-service').length <= 70);
  assert.ok(names.length <= 220, `${names.length} names`);
  const twice = names.filter(({ name }, at) => names.findIndex((other) => other.name === name) < at);
  assert.deepEqual(
    twice.map(({ name }) => name),
    [],
  );
});

for (const [index, names] of [
  [
    "/** All. */\n\nexport { a, type B } from './a.ts';\nexport type { C } from './b/c.ts';\n",
    ['a', 'type B', 'type C'],
  ],
  ["export {\n  a,\n  b,\n} from './a.ts';\n", ['a', 'b']],
] as const) {
  test(`surface – ${JSON.stringify(index)} → ${names.join(', ')}`, () => {
    assert.deepEqual(
      namesOf(index, 'src/index.ts', 'x').map(({ name, isType }) => (isType ? `type ${name}` : name)),
      names,
    );
  });
}

for (const index of ["export * from './a.ts';", "export { a as b } from './a.ts';"]) {
  test(`surface – ${JSON.stringify(index)} → refused, for the file of the surface would miss it`, () => {
    assert.throws(() => namesOf(index, 'src/index.ts', 'x'), /Not of the form/);
  });
}

const EMITTED = `import type { Other } from './other.ts';
import { createServer, type Server } from 'node:http';
export interface Shown<T> {
    readonly mode: 'Hidden';
    of(server: Server): Other | T;
}
interface Hidden {
    readonly inner: number;
}
export declare function make(one: string): Hidden;
export declare function make(one: number): Shown<Other>;
export type Unused = Hidden;
export {};
`;

test('surface – an emitted file → its exported names in order, overloads together, and the names behind them', () => {
  const exported = ['make', 'Shown'].map((name) => ({ name, file: 'a.ts', specifier: 'x' }));
  const [, shown] = surfaceOf(exported, () => EMITTED).split('this file.\n');
  assert.equal(
    shown,
    `
# x: 2 names

interface Shown<T> {
    readonly mode: 'Hidden';
    of(server: Server): Other | T;
}

function make(one: string): Hidden;
function make(one: number): Shown<Other>;


Named in these declarations, and not exported:

Hidden in make
Other in Shown, make
`,
  );
  assert.throws(
    () => surfaceOf([{ name: 'gone', file: 'a.ts', specifier: 'x' }], () => EMITTED),
    /a\.ts does not declare "gone"/,
  );
});
