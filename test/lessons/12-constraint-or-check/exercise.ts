/** Lesson 12: when to use a constraint, and when a check. */
import { type Plugin, problemReply, route, text } from '../../../src/index.ts';

// ▼ Your prediction here: 'order' or 'page'.
export const prediction = {
  'GET /orders/7': undefined,
  'GET /orders/7x': undefined,
  'GET /orders/007': undefined,
  'GET /orders/+7': undefined,
  // `%20` is an escaped space.
  'GET /orders/%207': undefined,
  'GET /orders/99999999999': undefined,
  'GET /orders': undefined,
  // The pages come first in the list here.
  'GET /orders/7, if {*page} is the first route': undefined,
};

const ORDERS: Readonly<Record<string, string>> = { 7: 'seven chairs', 12: 'a table' };

export const plugin: Plugin = {
  name: 'lesson',
  // ▼ Your code here.
  routes: [
    route({
      path: 'orders/{number:int}',
      handle({ context, values }) {
        const order = ORDERS[values.number];
        return order === undefined ? problemReply(context, 404, 'This order does not exist') : text(`order: ${order}`);
      },
    }),
    route({ path: '{*page}', handle: ({ values }) => text(`page: ${values.page}`) }),
  ],
};
