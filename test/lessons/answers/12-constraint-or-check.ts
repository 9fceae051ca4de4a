/** Lesson 12, answered: where a constraint is right, and where a check is. */
import { type Plugin, problemReply, route, text } from '../../../src/index.ts';

export const prediction = {
  'GET /orders/7': 'order',
  // Nobody tells the client of its mistake: it reads a page, or a 404 that speaks of pages.
  'GET /orders/7x': 'page',
  'GET /orders/007': 'order',
  // `int` asks whether the string can be read as a number. A sign and spaces around it can: order 7 has many addresses,
  // and caches, logs and guards that compare strings take them for many orders.
  'GET /orders/+7': 'order',
  'GET /orders/%207': 'order',
  // Too large for 32 bits.
  'GET /orders/99999999999': 'page',
  // A segment too few.
  'GET /orders': 'page',
};

const ORDERS: Readonly<Record<string, string>> = { 7: 'seven chairs', 12: 'a table' };

const page = (name: string) => text(`page: ${name}`);

export const plugin: Plugin = {
  name: 'lesson',
  routes: [
    // The one page that lives among the orders, said in the open, before the others.
    route({ path: 'orders/summary', handle: () => page('orders/summary') }),
    // No constraint: this place belongs to orders, so what is in it is an order or a mistake. A constraint would be
    // right if another route had a use for other strings, as titles had in lesson 8.
    route({
      path: 'orders/{number}',
      handle({ context, values: { number } }) {
        if (!/^[1-9]\d*$/.test(number))
          return problemReply(context, 400, 'The number of an order is 1, 2, 3 and so on');
        const order = ORDERS[number];
        return order === undefined ? problemReply(context, 404, 'There is no such order') : text(`order: ${order}`);
      },
    }),
    route({ path: '{*page}', handle: ({ values }) => page(values.page) }),
  ],
};
