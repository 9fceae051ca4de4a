/** Lesson 14: a plugin that works wherever it is mounted. */
import { type Plugin, redirect, route, type Stage, text } from '../../../src/index.ts';

// ▼ Your prediction here, for shops at `red` and `blue`: a path, or 'nothing'.
export const prediction = {
  // `seen` is a stage of the shop at `red`.
  'context.path in seen, GET /red/items/7': undefined,
  'context.basePath in seen, GET /red/items/7': undefined,
  'context.path in seen, GET /blue/items/7': undefined,
  "link('item', { n: 7 }) in a handler of the shop at red": undefined,
  "link('blue/item', { n: 7 }) in a handler of the shop at red": undefined,
  "link('item', { n: 7 }) in a handler that is not mounted": undefined,
};

// ▼ Your code from here on.
let sold = 0;

/** Redirects a client without a name to the page that asks for its name. */
const known: Stage = (context, next) => {
  const isOpen = context.query.has('name') || context.path === '/hello';
  return isOpen ? next(context) : redirect('/hello', 303);
};

export function shop(): Plugin {
  return {
    name: 'shop',
    stages: [known],
    routes: [
      route({ path: 'hello', name: 'hello', handle: () => text('Who are you?') }),
      route({
        path: 'items/{n:int}',
        name: 'item',
        handle({ values }) {
          sold += 1;
          return text(`Item ${values.n}, sale ${sold}; next: /items/${Number(values.n) + 1}`);
        },
      }),
    ],
  };
}
