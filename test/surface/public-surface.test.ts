/** The public surface is what its file says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as library from '../../src/index.ts';
import { textOf } from '../house/source-files.ts';
import { exportedNames } from './exported-names.ts';
import { publicSurface, SURFACE, surfaceOf } from './public-surface.ts';

test('surface – what the compiler declares → the file of the public surface', () => {
  const [now, written] = [publicSurface(), textOf(SURFACE)];
  assert.equal(now, written, `The public surface has changed. Is it meant to? Then: npm run surface`);
});

test('surface – the values that are named in index.ts → those that the library has', () => {
  const values = exportedNames().flatMap(({ name, isType }) => (isType ? [] : [name]));
  assert.deepEqual(values.sort(), Object.keys(library).sort());
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
      exportedNames(index).map(({ name, isType }) => (isType ? `type ${name}` : name)),
      names,
    );
  });
}

for (const index of ["export * from './a.ts';", "export { a as b } from './a.ts';", 'export const a = 1;']) {
  test(`surface – ${JSON.stringify(index)} → refused, for the file of the surface would miss it`, () => {
    assert.throws(() => exportedNames(index), /Not of the form/);
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
  const exported = ['make', 'Shown'].map((name) => ({ name, file: 'a.ts' }));
  const [, shown] = surfaceOf(exported, () => EMITTED).split('this file.\n');
  assert.equal(
    shown,
    `
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
  assert.throws(() => surfaceOf([{ name: 'gone', file: 'a.ts' }], () => EMITTED), /a\.ts does not declare "gone"/);
});
