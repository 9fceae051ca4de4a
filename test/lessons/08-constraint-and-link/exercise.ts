/** Lesson 8: a constraint, and a link to the same route. */
import { type Plugin, route, text } from '../../../src/index.ts';

// ▼ Your prediction here: `'number'` or `'title'`, and for the link `'a path'` or `'nothing'`.
export const prediction = {
  'GET /pages/7': undefined,
  'GET /pages/07': undefined,
  'GET /pages/100': undefined,
  "link('pages', { n: 100 })": undefined,
};

/** True for the numbers from 1 to 99, without a leading zero. The value is a string. */
const page = (value: string): boolean => {
  // ▼ Your code here.
  return value !== '';
};

export const plugin: Plugin = {
  name: 'lesson',
  constraints: { page },
  routes: [
    route({
      path: 'pages/{n:page}',
      name: 'pages',
      // ▼ And here. A handler receives `link` too: handle({ values, link })
      handle({ values }) {
        const next = `/pages/${Number(values.n) + 1}`;
        return text(`number ${values.n}`, { headers: { Link: `<${next}>; rel="next"` } });
      },
    }),
    route({ path: 'pages/{title}', handle: ({ values }) => text(`title ${values.title}`) }),
  ],
};
