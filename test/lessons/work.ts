/** Helpers for the cases of all lessons: they load the work of a learner, and check a prediction. */
import assert from 'node:assert/strict';

/** Options of a case: the time limit for every exercise. */
export const WITHIN = { timeout: 5000 };

/** Returns the address of the exercise beside the cases, or of the worked answer if `LESSON` is `answer`. */
export function addressOfWork(cases: string): string {
  if (process.env['LESSON'] !== 'answer') return new URL('exercise.ts', cases).href;
  return new URL(`../answers/${/([^/]+)\/[^/]*$/.exec(cases)![1]}.ts`, cases).href;
}

/**
 * Loads the exercise or the answer that belongs to these cases.
 *
 *     const { served } = await work<typeof import('../answers/03-answer-early.ts')>(import.meta.url);
 */
export const work = async <Exports>(cases: string): Promise<Exports> => (await import(addressOfWork(cases))) as Exports;

/** Keeps the log of an application, so that a case can print the cause of a 500. `remedy` is printed after it. */
export function keptLog(remedy = ''): { readonly log: (error: unknown) => void; assertNone(status: number): void } {
  const lines: string[] = [];
  return {
    log: (error) => void lines.push(String(error)),
    /** Fails with the newest line of the log if the status is 500. */
    assertNone(status) {
      assert.notEqual(status, 500, `The client gets a 500, and the log says:\n${lines.at(-1)}\n${remedy}`);
    },
  };
}

/**
 * Fails if a question has no prediction or a wrong prediction. The message does not name the wrong prediction, because
 * that would give the answer away if there are only two. It ends with `think`, a question that helps.
 */
export function assertPredicted(
  predicted: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  think: string,
): void {
  const questions = Object.keys(actual);
  const open = questions.filter((question) => predicted[question] === undefined);
  if (open.length > 0) assert.fail(`Predict first, then run. Write your predictions into exercise.ts:${listed(open)}`);
  const wrong = questions.filter(
    (question) => JSON.stringify(predicted[question]) !== JSON.stringify(actual[question]),
  );
  if (wrong.length > 0) assert.fail(`Something else happens for ${wrong.length} of the ${questions.length}.\n${think}`);
}

/** Explains a link that has '81' for 8 + 1: the value of the path is a text. Returns '' for any other link. */
export const addedTextHint = (link: string | null | undefined, value: string): string =>
  link?.includes(`${value}1`) ? `A value of the path is a text, and '${value}' + 1 is '${value}1'. ` : '';

const listed = (lines: readonly string[]): string => lines.map((line) => `\n  ${line}`).join('');
