/** The essence: fourteen files that hold the whole idea of the service, small enough for one evening. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from './source-files.ts';

const MAX_LINES = 1500;

/** In the order in which the README leads through them. */
const ESSENCE = [
  'core/message/context',
  'program/app',
  'core/application/plugin',
  'core/application/application',
  'core/pipeline/pipeline',
  'core/pipeline/problems',
  'core/routing/routing',
  'core/routing/route',
  'core/routing/template',
  'core/routing/match-route',
  'core/operations/operation/operation',
  'core/operations/routes/operation-routes',
  'extensions/todo/todo-controller',
  'extensions/todo/todo',
].map((name) => `src/${name}.ts`);

/** What belongs to the details beside the essence, and what it looks like. */
const DETAILS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a measurement', /\bmeasured\b|\d+ ns\b|\d %/i],
  ['the V8 engine', /\bV8\b/],
  ['a branch on a promise', /instanceof Promise/],
  ['a member of Node that is not documented', /\b_[a-z]\w+/],
];

test(`essence – the fourteen files → at most ${MAX_LINES} lines together`, () => {
  const lines = ESSENCE.map((file) => textOf(file).trimEnd().split('\n').length);
  const sum = lines.reduce((all, one) => all + one, 0);
  assert.ok(sum <= MAX_LINES, `${sum} lines: ${ESSENCE.map((file, at) => `${file} ${lines[at]}`).join(', ')}`);
  assert.ok(sum > MAX_LINES / 2, 'the list has lost its files');
});

for (const [name, pattern] of DETAILS) {
  test(`essence – the fourteen files → without ${name}`, () => {
    const found = ESSENCE.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
    assert.deepEqual(found, []);
  });
}

test('essence – the README → names the fourteen files, in this order', () => {
  const named = [...textOf('README.md').matchAll(/^\| \d+ \| \[`[^`]+`\]\(([^)]+)\)/gm)].map(([, path]) => path);
  assert.deepEqual(named, ESSENCE);
});
