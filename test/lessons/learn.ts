/**
 * The command of the lessons: `npm run learn` lists them, `npm run learn 3` runs lesson 3. The exit code is 0 if it is
 * done, 1 if it is open, and 2 for an invalid command.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileOf, type Lesson, lessons, shownAnswer, shownPath } from './lessons.ts';
import { type CasesRun, isDone, type Outcome, runCases } from './run-cases.ts';

const ALL = lessons();
/** The command that was entered. Without an installation, `npm run learn` does not find tsx. */
const LEARN =
  process.argv[1] === import.meta.filename && process.env['npm_lifecycle_event'] === undefined
    ? ['node', ...process.execArgv, 'test/lessons/learn.ts'].join(' ')
    : 'npm run learn';
const USAGE = `${LEARN}            which lessons are done, and which is next
${LEARN} 3          the text of lesson 3, and the results of its cases for your exercise
${LEARN} 3 hint     a hint
${LEARN} 3 answer   the worked answer, and its cases
${LEARN} reset 3    restores the exercise of lesson 3, and prints where it has saved yours
Exit codes: 0 done, 1 open, 2 for a wrong command.`;

const OPTIONS = {
  hint: { type: 'boolean' },
  answer: { type: 'boolean' },
  reset: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;
const WORDS = 'the other words are hint, answer, reset and help';

/** A mistake in the command. Its message has one line. */
class UsageError extends Error {}

/** Runs a command, such as `['3', 'hint']`, and returns the exit code. */
export async function learn(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    return 2;
  }
}

async function run(args: readonly string[]): Promise<number> {
  const { number, hint, answer, help, reset } = optionsOf(args);
  if (help) return print(USAGE);
  if (number === undefined) return list();
  const lesson = ALL.find((one) => one.number === number)!;
  if (reset) return restore(lesson);
  if (hint) return print(`${lesson.hint}\n\nNow: edit ${shownPath(lesson, 'exercise.ts')}, then ${command(lesson)}`);
  return answer ? show(lesson) : judge(lesson);
}

function optionsOf(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const options: { readonly number?: number } & typeof values = values;
  const [asked, other] = Object.keys(values);
  if (other !== undefined) throw new UsageError(`Use either ${asked} or ${other}, not both`);
  const unknown = positionals.find((word) => !ALL.some(({ number }) => number === Number(word)));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no lesson ${JSON.stringify(unknown)}: give a number from 1 to ${ALL.length}; ${WORDS}`,
    );
  const [number, ...more] = positionals.map(Number);
  if (more.length > 0) throw new UsageError(`One lesson at a time: ${LEARN} ${number}`);
  if (number !== undefined) return { ...options, number };
  if (asked === undefined || asked === 'help') return options;
  throw new UsageError(`Of which lesson? ${LEARN} 3 ${asked}`);
}

/** A word is the same as its option: PowerShell drops the `--` of `npm run learn -- 3 --hint`, and npm then takes `--hint`. */
function parsed(args: readonly string[]) {
  const words = args.map((word) => (Object.hasOwn(OPTIONS, word) ? `--${word}` : word));
  try {
    return parseArgs({ args: words, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // For example: Unknown option '--hnt'. The later sentences of Node help programmers, not learners.
    const [cause] = (error as Error).message.split('. ');
    throw new UsageError(`${cause}; ${WORDS}`);
  }
}

/** Runs two lessons at a time, each in a process. A lesson without a prediction is open and does not run. */
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

/** Restores the exercise from the newest commit. */
function restore(lesson: Lesson): number {
  const path = shownPath(lesson, 'exercise.ts');
  const copy = join(mkdtempSync(join(tmpdir(), 'lesson-')), 'exercise.ts');
  copyFileSync(fileOf(lesson, 'exercise.ts'), copy);
  const cwd = fileOf(lesson, '.');
  try {
    execFileSync('git', ['checkout', '--quiet', 'HEAD', '--', 'exercise.ts'], { cwd, stdio: 'pipe' });
  } catch (error) {
    const cause = String((error as { stderr?: unknown }).stderr ?? (error as Error).message).trim();
    throw new UsageError(`Cannot reset ${path}: git has no earlier version (${cause}); copy it from your download`);
  }
  return print(`${path} is restored. Your version is in ${copy}\nNext: ${command(lesson)}`);
}

async function judge(lesson: Lesson): Promise<number> {
  console.log(`${lesson.text}\n`);
  const casesRun = await runCases(lesson, 'exercise');
  report(casesRun, `The cases, run with ${shownPath(lesson, 'exercise.ts')}:`);
  if (!isDone(casesRun)) {
    console.log(`Next: edit ${shownPath(lesson, 'exercise.ts')}, then ${command(lesson)} again.`);
    console.log(`A hint: ${command(lesson)} hint`);
    return 1;
  }
  const following = ALL.find(({ number }) => number === lesson.number + 1);
  console.log(`Done. Compare with the worked answer: ${command(lesson)} answer`);
  return print(following === undefined ? 'This was the last lesson.' : `Next: ${command(following)}`);
}

async function show(lesson: Lesson): Promise<number> {
  console.log(`${lesson.answer}\n`);
  const casesRun = await runCases(lesson, 'answer');
  report(casesRun, `The cases, run with ${shownAnswer(lesson)}:`);
  return isDone(casesRun) ? 0 : 1;
}

/** Prints the first message only: later cases may fail for the same reason, or give a prediction away. */
function report({ outcomes, printed, failure }: CasesRun, title: string): void {
  const first = outcomes.find(({ message }) => message !== undefined);
  const lines = outcomes.map((outcome) => textOf(outcome, outcome === first));
  if (failure !== undefined) lines.push(`✗ it runs to its end\n${indented(withoutInternals(failure))}`);
  const output = printed.replace(OF_V8, '').trim();
  if (output !== '') lines.push(`\nIt has printed:\n${indented(shortened(output))}`);
  console.log(`${title}\n\n${lines.join('\n')}\n`);
}

function textOf({ name, message, line }: Outcome, isExplained: boolean): string {
  if (message === undefined) return `✓ ${name}`;
  return isExplained ? `✗ ${name}\n${indented(line === undefined ? message : `${message}\nat ${line}`)}` : `✗ ${name}`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ');

/** Removes the lines that Node prints around an uncaught error, and its stack frames outside of the lessons. */
const withoutInternals = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node:|node_modules)|^Node\.js v|^node:|^\s+triggerUncaught|^\s*$/.test(line))
    .join('\n')
    .trim();

/** The text that V8 prints if a promise is rejected while the stack is full. */
const OF_V8 = /^Exception in PromiseRejectCallback:\n[^]*?\n\s*RangeError: .*\n/gm;

/** Returns at most one page of the printed text. */
const shortened = (text: string): string =>
  text
    .split('\n', 40)
    .map((line) => line.trimEnd().slice(0, 320))
    .join('\n');

const command = ({ number }: Lesson): string => `${LEARN} ${number}`;

function print(text: string): number {
  console.log(text);
  return 0;
}

if (process.argv[1] === import.meta.filename) process.exitCode = await learn(process.argv.slice(2));
