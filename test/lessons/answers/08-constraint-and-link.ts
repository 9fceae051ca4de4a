/** Lesson 8, answered: a constraint, and a link to the same route. */
import { type Plugin, route, text } from '../../../src/index.ts';

export const prediction = {
  'GET /pages/7': 'number',
  // The first route does not take the path, so the second route is tried. There is no 400.
  'GET /pages/07': 'title',
  'GET /pages/100': 'title',
  // `link` obeys the constraint too, so it returns no path that the route would not take. The second route does not
  // have this name.
  "link('pages', { n: 100 })": 'nothing',
};

/** True for the numbers from 1 to 99, without a leading zero. The value is a string. */
// `^` and `$` compare the whole string; without them `x7` would match. Number(value) would also accept `07`, `7.0` and
// ` 7`, and one page would have many addresses.
const page = (value: string): boolean => /^[1-9]\d?$/.test(value);

export const plugin: Plugin = {
  name: 'lesson',
  constraints: { page },
  routes: [
    route({
      path: 'pages/{n:page}',
      name: 'pages',
      handle({ values, link }) {
        // The template is in one place only. Change it to `book/{n:page}`, and the links change too. Put the
        // application under a base path, and the links begin with it. The constraint also ends the links at 99.
        const next = link('pages', { n: Number(values.n) + 1 });
        return text(`number ${values.n}`, { headers: next === undefined ? {} : { Link: `<${next}>; rel="next"` } });
      },
    }),
    route({ path: 'pages/{title}', handle: ({ values }) => text(`title ${values.title}`) }),
  ],
};
