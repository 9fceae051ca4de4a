/** What the cases of every lesson use: the work that they judge, and the check of a prediction. */
import assert from 'node:assert/strict';

/** Options of a case: none waits longer, whatever an exercise does. */
export const WITHIN = { timeout: 5000 };

/** The address of what is judged: the exercise beside the cases, or the worked answer if `LESSON` is `answer`. */
export function addressOfWork(cases: string): string {
  if (process.env['LESSON'] !== 'answer') return new URL('exercise.ts', cases).href;
  return new URL(`../answers/${/([^/]+)\/[^/]*$/.exec(cases)![1]}.ts`, cases).href;
}

/**
 * Loads the work of the lesson whose cases these are.
 *
 *     const { served } = await work<typeof import('../answers/03-answer-early.ts')>(import.meta.url);
 */
export const work = async <Exports>(cases: string): Promise<Exports> => (await import(addressOfWork(cases))) as Exports;

/** Keeps what an application logs, so that a case can tell why a reply is a 500. `remedy` is printed below. */
export function keptLog(remedy = ''): { readonly log: (error: unknown) => void; assertNone(status: number): void } {
  const kept: string[] = [];
  return {
    log: (error) => void kept.push(String(error)),
    /** Fails with the newest line of the log where the status is 500. */
    assertNone(status) {
      assert.notEqual(status, 500, `The client gets a 500, and the log says:\n${kept.at(-1)}\n${remedy}`);
    },
  };
}

/**
 * Fails if a question has no prediction or a wrong prediction. The message does not say which prediction is wrong: for a
 * question with two answers, that would give the right answer away. `think` says what to think of instead.
 */
export function assertPredicted(
  predicted: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  think: string,
): void {
  const questions = Object.keys(actual);
  const open = questions.filter((question) => predicted[question] === undefined);
  if (open.length > 0) assert.fail(`Predict first, then run. Write into exercise.ts what you expect:${listed(open)}`);
  const wrong = questions.filter(
    (question) => JSON.stringify(predicted[question]) !== JSON.stringify(actual[question]),
  );
  if (wrong.length > 0) assert.fail(`Something else happens for ${wrong.length} of the ${questions.length}.\n${think}`);
}

/** The explanation of a link that has '81' for 8 + 1: the value of the path is a text. Empty for another link. */
export const addedTextHint = (made: string | null | undefined, value: string): string =>
  made?.includes(`${value}1`) ? `A value of the path is a text, and '${value}' + 1 is '${value}1'. ` : '';

const listed = (lines: readonly string[]): string => lines.map((line) => `\n  ${line}`).join('');
