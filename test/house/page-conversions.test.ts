/** The programs of the pages and lessons compare whole texts before they convert them, so no reply is NaN or Infinity. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as library from '../../src/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { blocksOf, fileNameOf, GUIDE, OTHERS, written } from './page-programs.ts';
import { filesIn, textOf } from './source-files.ts';

const programs = [...GUIDE, ...OTHERS].flatMap((page) => blocksOf(page, 'ts', 'js'));
const even = programs.find((program) => fileNameOf(program) === 'even.mjs')!;
const { default: plugin } = (await import(written(even, temporaryFolder({})))) as {
  readonly default: (given: typeof library) => library.Plugin;
};
const app = library.application([plugin(library)]);

for (const [value, expected] of [
  ['8', '4'],
  ['0', '0'],
  ['08', '4'],
  ['2147483646', '1073741823'],
  ['2147483648', undefined],
  [`${'9'.repeat(400)}8`, undefined],
  ['7', undefined],
  ['x8', undefined],
  ['8x', undefined],
  ['-8', undefined],
  ['+8', undefined],
  ['1e8', undefined],
  ['0x8', undefined],
  ['8.0', undefined],
  ['%208', undefined],
  ['8%0A', undefined],
  ['%D9%A8', undefined],
] as const)
  test(`house – the constraint of ${even.page}, ${value.slice(0, 12)} → ${expected ?? '404'}`, async () => {
    const reply = await app.request(`/halves/${value}`);
    assert.equal(reply.status === 404 ? undefined : await reply.text(), expected);
  });

test('house – the constraints of the pages and lessons → compare the whole text, and come before each conversion', () => {
  const checks = programs.flatMap(({ page, text }) =>
    [...text.matchAll(/=> \/(.+)\/\.test\(/g)].map(([, pattern]) => `${page}: ${pattern}`),
  );
  assert.ok(checks.length >= 4, checks.join('\n'));
  assert.deepEqual(
    checks.filter((check) => !/: \^.*\$$/.test(check)),
    [],
  );
  const lessons = filesIn('test/lessons').filter((path) => /\/answers\/|\/exercise\.ts$/.test(path));
  const texts = [...programs, ...lessons.map((page) => ({ page, text: textOf(page) }))];
  const converted = texts.flatMap(({ page, text }) =>
    [...text.matchAll(/(?:Number|parseInt|parseFloat)\((?:values\.)?(\w+)\) [-+*/]/g)].map(([, name]) => [
      page,
      text,
      name!,
    ]),
  );
  assert.ok(converted.length > 8, `${converted.length}`);
  // The constraint `page` of lesson 8 is exercised by its cases.
  for (const [page, text, name] of converted) assert.match(text!, new RegExp(`\\{${name}:(?:int|page)\\b`), page);
});
