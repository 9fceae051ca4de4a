/** Lesson 9: a plugin that opens and closes something. */
import type { Plugin } from '../../../src/index.ts';
import type { Journal } from './journal.ts';

// ▼ Your prediction here, two lists of calls such as `'start a'` and `'stop c'`.
export const prediction = {
  'all of them start, and the application stops': undefined,
  'start of b fails': undefined,
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
    // ▼ Your code here.
  };
}
