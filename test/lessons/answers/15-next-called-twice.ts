/** Lesson 15, answered: a stage that calls `next` twice. */
import type { Stage } from '../../../src/index.ts';

export const prediction = {
  // `front` has called its `next` once, which returns one reply.
  'how many requests front sees': 1,
  'how many replies front sees': 1,
  // Each call runs the later stages.
  'how many requests back sees': 2,
  // The client has sent one order.
  'how many orders are stored': 2,
  'the number of orders in the reply': 2,
  // The server reads a body from the connection once and keeps it for the request. In a framework that passes on the
  // stream, the second call finds it empty.
  'the body that the route reads at the second call': 'a chair',
};

const IDEMPOTENT = ['GET', 'HEAD', 'PUT', 'DELETE'];

// In Koa a second call is an error. Here it is allowed, for a stage such as this one. The price is a rule: a stage that
// calls `next` twice must know what the later stages do.
export const again: Stage = async (context, next) => {
  const first = await next(context);
  // A 503 does not prove that nothing happened: the order may be stored although the reply came too late. So the method
  // decides, too, and not the status alone.
  return first.status === 503 && IDEMPOTENT.includes(context.method) ? next(context) : first;
};

// A client that wants to create an item safely chooses the key and sends a PUT, which it may repeat. The place of this
// stage in the list matters, too: if a log or a limit of requests comes later, it counts each attempt.
