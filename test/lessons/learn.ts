/**
 * The command of the lessons: `npm run learn` lists them, `npm run learn -- 3` runs one. The exit code is 0 for done, 1
 * while something is open, 2 for a command that cannot be followed.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileOf, type Lesson, lessons, shownAnswer, shownPath } from './lessons.ts';
import { type CasesRun, isDone, type Outcome, runCases } from './run-cases.ts';

const ALL = lessons();
const USAGE = `npm run learn                 which lessons are done, and which is next
npm run learn -- 3            the text of lesson 3, and what its cases say about your exercise
npm run learn -- 3 --hint     a hint
npm run learn -- 3 --answer   the worked answer, and its cases
npm run learn -- --reset 3    the exercise of lesson 3 as it was at first; yours is kept in a folder that it names
The exit code: 0 done, 1 open, 2 for a wrong command.`;

/** A mistake in the command, told in one line. */
class UsageError extends Error {}

/** Follows a command, such as `['3', '--hint']`; gives the exit code. */
export async function learn(args: readonly string[]): Promise<number> {
  try {
    return await follow(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

async function follow(args: readonly string[]): Promise<number> {
  const { number, hint, answer, help, reset } = asked(args);
  if (help) return told(USAGE);
  if (number === undefined) return list();
  const lesson = ALL.find((one) => one.number === number)!;
  if (reset) return begin(lesson);
  if (hint) return told(`${lesson.hint}\n\nNow: edit ${shownPath(lesson, 'exercise.ts')}, then ${command(lesson)}`);
  return answer ? show(lesson) : judge(lesson);
}

function asked(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const { hint = false, answer = false, help = false, reset } = values;
  const none: { number?: number } = {};
  const options = { ...none, hint, answer, help, reset: reset !== undefined };
  const [given = reset, ...more] = positionals;
  if (reset !== undefined && (positionals.length > 0 || hint || answer))
    throw new UsageError(`--reset stands alone: npm run learn -- --reset ${reset}`);
  if (more.length > 0) throw new UsageError(`One lesson at a time: npm run learn -- ${given}`);
  if (hint && answer) throw new UsageError('Either --hint or --answer: both show something, one at a time');
  if (given === undefined) {
    if (hint || answer) throw new UsageError(`Of which lesson? npm run learn -- 3 --${hint ? 'hint' : 'answer'}`);
    return options;
  }
  const number = /^\d{1,2}$/.test(given) ? Number(given) : 0;
  if (!ALL.some((lesson) => lesson.number === number))
    throw new UsageError(`There is no lesson ${JSON.stringify(given)}: give a number from 1 to ${ALL.length}`);
  return { ...options, number };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        hint: { type: 'boolean' },
        answer: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        reset: { type: 'string' },
      },
    });
  } catch (error) {
    // Such as: Unknown option '--hnt'. The sentences after the first are about programs, not about people.
    const [cause] = (error as Error).message.split('. ');
    throw new UsageError(`${cause}; there are --hint, --answer, --reset and --help`);
  }
}

/** Two lessons at a time: the learner waits, and each is a process. One without a prediction is open without a run. */
async function list(): Promise<number> {
  const isBegun = ({ exercise }: Lesson): boolean => !/^ {2}\S.*: undefined,$/m.test(exercise);
  const waiting = ALL.filter(isBegun);
  const runs = new Map<Lesson, Promise<CasesRun>>();
  const runNext = (): void => {
    const lesson = waiting.shift();
    if (lesson !== undefined) runs.set(lesson, runCases(lesson, 'exercise'));
  };
  runNext();
  runNext();
  let next: Lesson | undefined;
  for (const lesson of ALL) {
    const result = await runs.get(lesson);
    if (result !== undefined) runNext();
    const isOpen = result === undefined || !isDone(result);
    if (isOpen) next ??= lesson;
    console.log(`${String(lesson.number).padStart(2)}  ${isOpen ? 'open' : 'done'}  ${lesson.title}`);
  }
  console.log(next === undefined ? '\nAll are done.' : `\nNext: ${command(next)}`);
  return next === undefined ? 0 : 1;
}

/** The exercise as it is in the newest commit. */
function begin(lesson: Lesson): number {
  const path = shownPath(lesson, 'exercise.ts');
  const kept = join(mkdtempSync(join(tmpdir(), 'lesson-')), 'exercise.ts');
  copyFileSync(fileOf(lesson, 'exercise.ts'), kept);
  const cwd = fileOf(lesson, '.');
  try {
    execFileSync('git', ['checkout', '--quiet', 'HEAD', '--', 'exercise.ts'], { cwd, stdio: 'pipe' });
  } catch (error) {
    const cause = String((error as { stderr?: unknown }).stderr ?? (error as Error).message).trim();
    throw new UsageError(`Cannot reset ${path}: git has no earlier one (${cause}); copy it from where you got it`);
  }
  return told(`${path} is as it was at first. What was in it is in ${kept}\nNext: ${command(lesson)}`);
}

async function judge(lesson: Lesson): Promise<number> {
  console.log(`${lesson.text}\n`);
  const run = await runCases(lesson, 'exercise');
  report(run, `The cases, about ${shownPath(lesson, 'exercise.ts')}:`);
  if (!isDone(run)) {
    console.log(`Next: edit ${shownPath(lesson, 'exercise.ts')}, then ${command(lesson)} again.`);
    console.log(`A hint: ${command(lesson)} --hint`);
    return 1;
  }
  const following = ALL.find(({ number }) => number === lesson.number + 1);
  console.log(`Done. Compare with the worked answer: ${command(lesson)} --answer`);
  return told(following === undefined ? 'This was the last lesson.' : `Next: ${command(following)}`);
}

async function show(lesson: Lesson): Promise<number> {
  console.log(`${lesson.answer}\n`);
  const run = await runCases(lesson, 'answer');
  report(run, `The cases, about ${shownAnswer(lesson)}:`);
  return isDone(run) ? 0 : 1;
}

/** One message at a time, the first: later cases may fail for the same reason, or tell what is to be predicted. */
function report({ outcomes, printed, failure }: CasesRun, title: string): void {
  const first = outcomes.find(({ message }) => message !== undefined);
  const lines = outcomes.map((outcome) => textOf(outcome, outcome === first));
  if (failure !== undefined) lines.push(`✗ it runs to its end\n${indented(withoutInternals(failure))}`);
  const own = printed.replace(OF_V8, '').trim();
  if (own !== '') lines.push(`\nIt has printed:\n${indented(shortened(own))}`);
  console.log(`${title}\n\n${lines.join('\n')}\n`);
}

function textOf({ name, message, line }: Outcome, isTold: boolean): string {
  if (message === undefined) return `✓ ${name}`;
  return isTold ? `✗ ${name}\n${indented(line === undefined ? message : `${message}\nat ${line}`)}` : `✗ ${name}`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');

/** Leaves out the lines of Node around an uncaught error, and those of its stack outside of the lessons. */
const withoutInternals = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node:|node_modules)|^Node\.js v|^node:|^\s+triggerUncaught|^\s*$/.test(line))
    .join('\n')
    .trim();

/** What V8 prints if a promise is rejected while the stack is full. */
const OF_V8 = /^Exception in PromiseRejectCallback:\n[^]*?\n\s*RangeError: .*\n/gm;

/** A page of what has been printed, whatever it is. */
const shortened = (text: string): string =>
  text
    .split('\n', 40)
    .map((line) => line.trimEnd().slice(0, 320))
    .join('\n');

const command = ({ number }: Lesson): string => `npm run learn -- ${number}`;

function told(text: string): number {
  console.log(text);
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = await learn(process.argv.slice(2));
