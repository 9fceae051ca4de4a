/** Lesson 14, answered: a plugin that works wherever it is mounted. */
import { type Plugin, redirect, route, type Stage, text } from '../../../src/index.ts';

export const prediction = {
  // The stage sees the path as if the plugin were not mounted.
  'context.path in seen, GET /red/items/7': '/items/7',
  'context.basePath in seen, GET /red/items/7': '/red',
  // A stage of a mounted plugin does not run for other paths. Without `mounted`, it runs for every path.
  'context.path in seen, GET /blue/items/7': 'nothing',
  // `link` first looks for the name among the routes of the same plugin.
  "link('item', { n: 7 }) in a handler of the shop at red": '/red/items/7',
  "link('blue/item', { n: 7 }) in a handler of the shop at red": '/blue/items/7',
  // Two shops have this name, so the link is not clear.
  "link('item', { n: 7 }) in a handler that is not mounted": 'nothing',
};

/** Redirects a client without a name to the page that asks for its name. */
const known: Stage = (context, next) => {
  const isOpen = context.query.has('name') || context.path === '/hello';
  // The stage sees `path` without the prefix, but the client needs the whole path: base path, prefixes, path.
  return isOpen ? next(context) : redirect(`${context.basePath}/hello`, 303);
};

export function shop(): Plugin {
  // Each call of `shop` creates a counter. Outside of the function there was one counter for the whole process.
  let sold = 0;
  return {
    name: 'shop',
    stages: [known],
    routes: [
      route({ path: 'hello', name: 'hello', handle: () => text('Who are you?') }),
      route({
        path: 'items/{n:int}',
        name: 'item',
        handle({ values, link }) {
          sold += 1;
          // A link to the same route needs no name.
          return text(`Item ${values.n}, sale ${sold}; next: ${link({ n: Number(values.n) + 1 })}`);
        },
      }),
    ],
  };
}
