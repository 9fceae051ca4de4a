/** Lesson 9, answered: a plugin that opens and closes something. */
import type { Plugin } from '../../../src/index.ts';
import type { Journal } from '../09-start-and-stop/journal.ts';

export const prediction = {
  // The stops are in reverse: `b` may use a resource of `a`, so `a` stops last.
  'all of them start, and the application stops': ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'],
  // `c` does not start any more. `b` has not started, so it is not stopped; its `start` must clean up.
  'start of b fails': ['start a', 'start b', 'stop a'],
};

export function journalling(journal: Journal): Plugin {
  return {
    name: 'journalling',
    stages: [
      (context, next) => {
        journal.write(`${context.method} ${context.path}`);
        return next(context);
      },
    ],
    // The functions return the promise, so the application waits for it: no request comes before the journal is open,
    // and the process does not end before it is closed. With `void journal.close()` the last lines would be lost.
    start: () => journal.open(),
    stop: () => journal.close(),
  };
}
