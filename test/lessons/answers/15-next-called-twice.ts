/** Lesson 15, answered: a stage that calls `next` twice. */
import type { Stage } from '../../../src/index.ts';

export const prediction = {
  // `front` has called its own `next` once, and that has one reply.
  'how many requests front sees': 1,
  'how many replies front sees': 1,
  // Each call asks the later stages.
  'how many requests back sees': 2,
  // The client has sent one order.
  'how many orders are stored': 2,
  'how many orders the client is told': 2,
  // A body is read from the connection once and kept for the request. In a framework that hands on the bare stream, the
  // second call finds it empty.
  'the body that the route reads at the second call': 'a chair',
};

const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE'];

// Koa makes an error of a second call. Here it is allowed, for a stage such as this one, and the price is a rule: who
// calls `next` twice must know what the later stages do.
export const again: Stage = async (context, next) => {
  const first = await next(context);
  // A 503 does not say that nothing was done: the order may be stored, and the reply have come too late. That is why
  // the method decides, and not the status alone.
  return first.status === 503 && IDEMPOTENT.includes(context.method) ? next(context) : first;
};

// A client that wants to create an item safely makes the key itself and sends it with PUT, which may be sent again. The
// place of this stage in the list matters too: before a log, each try is logged; before a limit of requests, each try
// counts.
