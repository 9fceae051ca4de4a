/** Every lesson can be done and is not done yet: the worked answer passes its cases, the untouched exercise fails. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { ROOT } from '../house/source-files.ts';
import { type Lesson, lessons, shownPath } from './lessons.ts';
import { isDone, runCases } from './run-cases.ts';

const MAX_LINES = 15;
const MAX_WIDTH = 120;
const ALL = lessons();

test('lessons – the folders → ten, numbered without a gap, each with a title', () => {
  assert.deepEqual(
    ALL.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  for (const { number, text } of ALL) assert.match(text, new RegExp(`^# ${number}\\. [A-Z]`));
});

for (const { name, text, hint } of ALL)
  test(`lessons – the text of ${name} → at most ${MAX_LINES} lines with a prediction and a task; a short hint`, () => {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    assert.ok(lines.length <= MAX_LINES, `${lines.length} lines`);
    assert.ok(lines.every((line) => line.length <= MAX_WIDTH));
    assert.match(text, /^Predict/m);
    assert.match(text, /^Do[:,]/m);
    assert.ok(hint.split('\n').length <= 10);
  });

test('lessons – each exercise → marks the place to edit', () => {
  for (const lesson of ALL) assert.match(lesson.exercise, /▼/, lesson.name);
});

/** A learner who has done a lesson in this checkout has no untouched exercise. Without git nobody can tell. */
function isEdited(lesson: Lesson): boolean {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const args = ['status', '--porcelain', '--', shownPath(lesson, 'exercise.ts')];
  try {
    return /^.?M/.test(execFileSync('git', args, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return false;
  }
}

describe('lessons', { concurrency: 2 }, () => {
  for (const lesson of ALL) {
    test(`lessons – the worked answer of ${lesson.name} → passes every case`, async () => {
      const run = await runCases(lesson, 'answer');
      assert.deepEqual([run.outcomes.filter(({ message }) => message !== undefined), run.failure], [[], undefined]);
      assert.ok(isDone(run) && run.outcomes.length >= 4, `${run.outcomes.length} cases`);
    });

    test(`lessons – the untouched exercise of ${lesson.name} → runs, and does not pass`, async (t) => {
      if (isEdited(lesson)) return t.skip('it has been edited in this checkout');
      const run = await runCases(lesson, 'exercise');
      assert.equal(run.failure, undefined);
      const failed = run.outcomes.filter(({ message }) => message !== undefined);
      assert.ok(failed.length >= 1 && run.outcomes.length >= 4, `${failed.length} of ${run.outcomes.length} fail`);
    });
  }
});
