/** Lesson 14, answered: a plugin that works wherever it is mounted. */
import { type Plugin, redirect, route, type Stage, text } from '../../../src/index.ts';

export const prediction = {
  // The stage reads the path that it would read alone.
  'context.path in seen, GET /red/items/7': '/items/7',
  'context.basePath in seen, GET /red/items/7': '/red',
  // A stage of a mounted plugin is not asked about other paths. Unmounted, it is asked before all later plugins.
  'context.path in seen, GET /blue/items/7': 'nothing',
  // The name is looked for among the routes of its own plugin first.
  "link('item', { n: 7 }) in a handler of the shop at red": '/red/items/7',
  "link('blue/item', { n: 7 }) in a handler of the shop at red": '/blue/items/7',
  // Which of the two shops should it be?
  "link('item', { n: 7 }) in a handler that is not mounted": 'nothing',
};

/** Redirects a client that gave no name to the page that asks for one. */
const known: Stage = (context, next) => {
  const isOpen = context.query.has('name') || context.path === '/hello';
  // `path` is compared below the prefix, and the client needs the whole of it: base path, prefixes, path.
  return isOpen ? next(context) : redirect(`${context.basePath}/hello`, 303);
};

export function shop(): Plugin {
  // Each call of `shop` makes one. Outside of the function it was one for the whole process, tests included.
  let sold = 0;
  return {
    name: 'shop',
    stages: [known],
    routes: [
      route({ path: 'hello', name: 'hello', handle: () => text('Who are you?') }),
      route({
        path: 'items/{n}',
        name: 'item',
        handle({ values, link }) {
          sold += 1;
          // This very route, so it needs no name.
          return text(`Item ${values.n}, sale ${sold}; next: ${link({ n: Number(values.n) + 1 })}`);
        },
      }),
    ],
  };
}
