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

/** Keeps what an application logs, so that a case can tell why a reply is a 500. `remedy` follows it. */
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
 * Fails where a question has no prediction or a wrong one. The message does not tell which one is wrong: of two answers
 * that would tell the right one. `think` says what to think of instead.
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

/** What to say first where somebody has added 1 to a value of the path, which is a text. */
export const ofAddedText = (made: string | null | undefined, value: string): string =>
  made?.includes(`${value}1`) ? `A value of the path is a text, and '${value}' + 1 is '${value}1'. ` : '';

const listed = (lines: readonly string[]): string => lines.map((line) => `\n  ${line}`).join('');
