/** The command of the lessons: `npm run learn` lists them, `npm run learn -- 3` runs one. */
import { parseArgs } from 'node:util';
import { type Lesson, lessons, shownAnswer, shownPath } from './lessons.ts';
import { type CasesRun, isDone, type Outcome, runCases } from './run-cases.ts';

const ALL = lessons();
const USAGE = `npm run learn                 which lessons are done, and which is next
npm run learn -- 3            the text of lesson 3, and what its cases say about your exercise
npm run learn -- 3 --hint     a hint
npm run learn -- 3 --answer   the worked answer, and its cases`;

/** A mistake in the command, told in one line. */
class UsageError extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const { number, hint, answer, help } = asked(args);
  if (help) return told(USAGE);
  if (number === undefined) return list();
  const lesson = ALL.find((one) => one.number === number)!;
  if (hint) return told(`${lesson.hint}\n\nNow: edit ${shownPath(lesson, 'exercise.ts')}, then ${command(lesson)}`);
  return answer ? show(lesson) : judge(lesson);
}

function asked(args: readonly string[]) {
  const { values, positionals } = parsed(args);
  const { hint = false, answer = false, help = false } = values;
  const [given, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`One lesson at a time: npm run learn -- ${given}`);
  if (hint && answer) throw new UsageError('Either --hint or --answer: both show something, one at a time');
  if (given === undefined) {
    if (hint || answer) throw new UsageError(`Of which lesson? npm run learn -- 3 --${hint ? 'hint' : 'answer'}`);
    return { number: undefined, hint, answer, help };
  }
  const number = /^\d{1,2}$/.test(given) ? Number(given) : 0;
  if (!ALL.some((lesson) => lesson.number === number))
    throw new UsageError(`There is no lesson ${JSON.stringify(given)}: give a number from 1 to ${ALL.length}`);
  return { number, hint, answer, help };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { hint: { type: 'boolean' }, answer: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    // Such as: Unknown option '--hnt'. The sentences behind the first are about programs, not about people.
    const [cause] = (error as Error).message.split('. ');
    throw new UsageError(`${cause}; there are --hint, --answer and --help`);
  }
}

/** Two lessons at a time: the learner waits, and each is a process. */
async function list(): Promise<number> {
  const runs = new Map<Lesson, Promise<CasesRun>>();
  const run = (lesson: Lesson | undefined): void => {
    if (lesson !== undefined) runs.set(lesson, runCases(lesson, 'exercise'));
  };
  ALL.slice(0, 2).forEach(run);
  let next: Lesson | undefined;
  for (const [at, lesson] of ALL.entries()) {
    const result = await runs.get(lesson)!;
    run(ALL[at + 2]);
    if (!isDone(result)) next ??= lesson;
    console.log(`${String(lesson.number).padStart(2)}  ${isDone(result) ? 'done' : 'open'}  ${lesson.title}`);
  }
  return told(next === undefined ? '\nAll are done.' : `\nNext: ${command(next)}`);
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
  if (printed.trim() !== '') lines.push(`\nIt has printed:\n${indented(shortened(printed.trim()))}`);
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

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  return 2;
});
