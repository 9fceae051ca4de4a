/** Runs each row of a table as a test. Its name is the clause, the question and the answer. */
import { type TestContext, test } from 'node:test';

export interface Row {
  /** The rule: `4.1.4`, `D7` or a keyword such as `one answer`. */
  readonly clause: string;
  readonly question: string;
  readonly answer: string;
}

/** Registers one test per row: `clause – question → answer`. */
export function table<R extends Row>(rows: readonly R[], run: (row: R, t: TestContext) => void | Promise<void>): void {
  for (const row of rows)
    test(`${row.clause} – ${row.question} → ${row.answer}`, async (t) => {
      await run(row, t);
    });
}
