/** Runs the rows of a table of cases, each as a test named after its clause, its question and its answer. */
import { type TestContext, test } from 'node:test';

export interface Row {
  /** Where it is said: `4.1.4`, `D7`, `one answer`. */
  readonly clause: string;
  readonly question: string;
  readonly answer: string;
}

/** One test per row: `clause – question → answer`. */
export function table<R extends Row>(rows: readonly R[], run: (row: R, t: TestContext) => void | Promise<void>): void {
  for (const row of rows)
    test(`${row.clause} – ${row.question} → ${row.answer}`, async (t) => {
      await run(row, t);
    });
}
