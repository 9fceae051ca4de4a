/** Runs the cases of one lesson in a separate process, which can be killed if an exercise never ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { fileOf, type Lesson } from './lessons.ts';

/** The result of one case. Without a message, the case has passed. */
export interface Outcome {
  readonly name: string;
  readonly message?: string;
  /** The line that threw: `exercise.ts:12`. */
  readonly line?: string;
}

export interface CasesRun {
  readonly outcomes: readonly Outcome[];
  /** The text that the exercise wrote to standard output and standard error. */
  readonly printed: string;
  /** The reason for missing outcomes: the exercise does not load, or it never ends. */
  readonly failure?: string;
}

/** True if there are cases and all have passed. */
export const isDone = ({ outcomes, failure }: CasesRun): boolean =>
  failure === undefined && outcomes.length > 0 && outcomes.every(({ message }) => message === undefined);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REPORTER = new URL('case-reporter.ts', import.meta.url).href;

/** Newer versions of Node load TypeScript without tsx, half a second faster. */
const LOADER =
  'typescript' in process.features && process.features.typescript !== false
    ? ['--disable-warning=ExperimentalWarning']
    : ['--import', 'tsx'];

/** Runs the cases against the exercise or the worked answer. `timeLimit` is in milliseconds. */
export async function runCases(lesson: Lesson, judged: 'exercise' | 'answer', timeLimit = 20_000): Promise<CasesRun> {
  // The runner sets the first variable for its processes, and then ignores the reporter.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, FORCE_COLOR: undefined, LESSON: judged };
  const child = fork(fileOf(lesson, 'cases.lesson.ts'), [], {
    cwd: ROOT,
    env,
    execArgv: [...LOADER, '--test-reporter', REPORTER],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const outcomes: Outcome[] = [];
  child.on('message', (outcome) => outcomes.push(outcome as Outcome));
  const output = [textOf(child.stdout!), textOf(child.stderr!)] as const;
  const isInTime = await endOf(child, timeLimit);
  const [printed, errors] = await Promise.all(output);
  if (!isInTime) {
    const failure = `It has not ended within ${timeLimit / 1000} seconds: look for a loop or a timer that never ends.`;
    return { outcomes, printed: printed + errors, failure };
  }
  const hasFailed = child.exitCode !== 0 && outcomes.every(({ message }) => message === undefined);
  if (!hasFailed) return { outcomes, printed: printed + errors };
  return { outcomes, printed, failure: errors.trim() || `It has ended the process with the code ${child.exitCode}.` };
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of stream.setEncoding('utf8')) chunks.push(chunk as string);
  return stripVTControlCharacters(chunks.join(''));
}

/** Resolves with true if the process ended in time. Kills it after the time limit. */
async function endOf(child: ChildProcess, timeLimit: number): Promise<boolean> {
  const timer = setTimeout(() => child.kill('SIGKILL'), timeLimit);
  await once(child, 'close');
  clearTimeout(timer);
  return child.signalCode !== 'SIGKILL';
}
