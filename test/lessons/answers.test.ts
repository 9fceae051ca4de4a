/** Tests that each worked answer passes its cases, and that each untouched exercise fails. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../house/source-files.ts';
import { type Ending, readReport, shareCommand } from '../run/report.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Lesson, lessons, shownPath } from './lessons.ts';

const MAX_LINES = 15;
const MAX_WIDTH = 120;
const ALL = lessons();

test('lessons – the folders → numbered without a gap, each with a title', () => {
  assert.deepEqual(
    ALL.map(({ number }) => number),
    ALL.map((_, at) => at + 1),
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

test('lessons – each exercise → imports only existing names, even unused ones', async () => {
  for (const { name, exercise } of ALL)
    for (const [, names, from] of exercise.matchAll(/^import \{([^}]*)\} from '(\..*)';/gm)) {
      const found = await import(new URL(from!, new URL(`${name}/exercise.ts`, import.meta.url)).href);
      const imported = names!
        .split(',')
        .map((one) => one.trim())
        .filter((one) => !/^(?:type .*)?$/.test(one));
      for (const one of imported) assert.ok(one in found, `${name} imports ${one} from ${from}`);
    }
});

test('lessons – each exercise → marks the place to edit', () => {
  for (const lesson of ALL) assert.match(lesson.exercise, /▼/, lesson.name);
});

/** True if a learner has edited the exercise in this clone. Without git it is false. */
function isEdited(lesson: Lesson): boolean {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const args = ['status', '--porcelain', '--', shownPath(lesson, 'exercise.ts')];
  try {
    return /^.?M/.test(execFileSync('git', args, { cwd: ROOT, env, encoding: 'utf8', stdio: 'pipe' }));
  } catch {
    return false;
  }
}

/** Runs the cases of all lessons in one process, and returns their endings by the path of the cases. */
async function runAll(work: 'exercise' | 'answer'): Promise<Map<string, Ending[]>> {
  const report = join(temporaryFolder(), 'report');
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, LESSON: work };
  const files = ALL.map((lesson) => shownPath(lesson, 'cases.lesson.ts'));
  const command = shareCommand(files, report, ['--import', 'tsx']);
  const child = spawn(process.execPath, command, { cwd: ROOT, env, stdio: 'ignore' });
  await once(child, 'exit');
  return new Map([...readReport(report).files].map(([file, { endings }]) => [file, endings]));
}

const ran = { answer: runAll('answer'), exercise: runAll('exercise') };
const casesOf = async (lesson: Lesson, judged: 'exercise' | 'answer'): Promise<readonly Ending[]> =>
  (await ran[judged]).get(shownPath(lesson, 'cases.lesson.ts')) ?? [];
const failed = (cases: readonly Ending[]): Ending[] => cases.filter(({ error }) => error !== undefined);

for (const lesson of ALL) {
  test(`lessons – the worked answer of ${lesson.name} → passes every case`, async () => {
    const cases = await casesOf(lesson, 'answer');
    assert.deepEqual(failed(cases), []);
    assert.ok(cases.length >= 4, `${cases.length} cases`);
  });

  test(`lessons – the untouched exercise of ${lesson.name} → runs, and does not pass`, async (t) => {
    if (isEdited(lesson)) return t.skip('it has been edited in this clone');
    const cases = await casesOf(lesson, 'exercise');
    assert.ok(cases.length >= 4 && failed(cases).length >= 1, `${failed(cases).length} of ${cases.length} fail`);
  });
}
