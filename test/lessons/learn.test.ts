/** The command of the lessons, `npm run learn`: what it prints, and its exit code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from '../house/source-files.ts';

const PROGRAM = ['--import', 'tsx', 'test/lessons/learn.ts'];
const learn = (...args: readonly string[]) =>
  spawnSync(process.execPath, [...PROGRAM, ...args], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });

for (const [args, expected] of [
  [['0'], 'There is no lesson "0": give a number from 1 to 16'],
  [['17'], 'There is no lesson "17": give a number from 1 to 16'],
  [['fold'], 'There is no lesson "fold": give a number from 1 to 16'],
  [['3', '4'], 'One lesson at a time: npm run learn -- 3'],
  [['--hint'], 'Of which lesson? npm run learn -- 3 --hint'],
  [['3', '--hint', '--answer'], 'Either --hint or --answer: both show something, one at a time'],
  [['3', '--hnt'], "Unknown option '--hnt'; there are --hint, --answer and --help"],
] as const)
  test(`lessons – learn ${args.join(' ')} → one line, and exit code 2`, () => {
    const { status, stdout, stderr } = learn(...args);
    assert.deepEqual([status, stdout, stderr], [2, '', `${expected}\n`]);
  });

test('lessons – learn 3 --hint → the hint and the file to edit, but not the text', () => {
  const { status, stdout } = learn('3', '--hint');
  assert.equal(status, 0);
  assert.match(stdout, /There are two cases[^]*Now: edit test\/lessons\/03-answer-early\/exercise\.ts/);
  assert.doesNotMatch(stdout, /# 3\. Answer early/);
});

test('lessons – learn 3 --answer → the worked answer, and its cases, which all hold', () => {
  const { status, stdout } = learn('3', '--answer');
  assert.equal(status, 0);
  assert.match(stdout, /^\/\*\* Lesson 3, answered[^]*\n✓ a GET → goes on to the route\n/);
  assert.doesNotMatch(stdout, /✗/);
});

test('lessons – learn 3 → the text, the cases, and what to do next', () => {
  const { status, stdout } = learn('3');
  assert.match(stdout, /^# 3\. Answer early\n[^]*\n[✓✗] a GET → goes on to the route\n/);
  assert.match(stdout, status === 0 ? /\nNext: npm run learn -- 4\n$/ : /\nA hint: npm run learn -- 3 --hint\n$/);
  assert.ok(status === 0 || status === 1, String(status));
});
