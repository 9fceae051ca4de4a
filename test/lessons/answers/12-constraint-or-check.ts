/** Lesson 12, answered: when to use a constraint, and when a check. */
import { type Plugin, problemReply, route, text } from '../../../src/index.ts';

export const prediction = {
  'GET /orders/7': 'order',
  // The client does not learn its mistake: it reads a page, or a 404 about pages.
  'GET /orders/7x': 'page',
  'GET /orders/007': 'order',
  // `int` accepts every text that can be read as a number, also with a sign or with spaces around it. So order 7 has
  // many addresses, and caches, logs and guards that compare texts treat them as different orders.
  'GET /orders/+7': 'order',
  'GET /orders/%207': 'order',
  // The number is too large for 32 bits.
  'GET /orders/99999999999': 'page',
  // The path has one segment too few.
  'GET /orders': 'page',
  // The first match answers, and no later route is tried. The order in the file decides, not the better fit. A route that
  // no request can reach gives a warning.
  'GET /orders/7, if {*page} is the first route': 'page',
};

const ORDERS: Readonly<Record<string, string>> = { 7: 'seven chairs', 12: 'a table' };

const page = (name: string) => text(`page: ${name}`);

export const plugin: Plugin = {
  name: 'lesson',
  routes: [
    // The only page among the orders has an explicit route, before the others.
    route({ path: 'orders/summary', handle: () => page('orders/summary') }),
    // There is no constraint: this place belongs to orders, so a text there is an order or a mistake. A constraint
    // would be right if another route took other texts, like the titles of lesson 8.
    route({
      path: 'orders/{number}',
      handle({ context, values: { number } }) {
        if (!/^[1-9]\d*$/.test(number))
          return problemReply(context, 400, 'The number of an order is 1, 2, 3 and so on');
        const order = ORDERS[number];
        return order === undefined ? problemReply(context, 404, 'This order does not exist') : text(`order: ${order}`);
      },
    }),
    route({ path: '{*page}', handle: ({ values }) => page(values.page) }),
  ],
};
