/** Lesson 8, answered: a constraint, and a link to the same route. */
import { type Plugin, route, text } from '../../../src/index.ts';

export const prediction = {
  'GET /pages/7': 'number',
  // The first route does not take it, so the second one is tried. That is why this is no 400.
  'GET /pages/07': 'title',
  'GET /pages/100': 'title',
  // `link` obeys the constraint too, so it makes no path that the route would not take. The second route
  // has another name, so it makes none either.
  "link('pages', { n: 100 })": 'nothing',
};

/** Takes the numbers from 1 to 99, without a leading zero. The value is a string. */
// `^` and `$` ask for the whole string; without them `x7` would do. Number(value) would take `07`, `7.0` and ` 7` as
// well, and one page would have many addresses.
const page = (value: string): boolean => /^[1-9]\d?$/.test(value);

export const plugin: Plugin = {
  name: 'lesson',
  constraints: { page },
  routes: [
    route({
      path: 'pages/{n:page}',
      name: 'pages',
      handle({ values, link }) {
        // The template stands in one place. Change it to `book/{n:page}`, and the links follow; put the application
        // under a base path, and the links begin with it. The constraint says where the pages end: no second `99`.
        const next = link('pages', { n: Number(values.n) + 1 });
        return text(`number ${values.n}`, { headers: next === undefined ? {} : { Link: `<${next}>; rel="next"` } });
      },
    }),
    route({ path: 'pages/{title}', handle: ({ values }) => text(`title ${values.title}`) }),
  ],
};
