/** Lesson 5, answered: three places that had forgotten the `return`. */

import { type Plugin, problemReply, route, type Stage, text } from '../../../src/index.ts';

export const prediction = {
  // Nothing can be sent, so the service is at fault: a 500.
  'the status that the client gets': 500,
  // Each reply is checked where it is returned, from the inside outwards. The handler is the innermost place; its fault
  // is an error at once, so `counted` does not come to return anything.
  'the name in the log': 'hello',
  // The log is for us. The client gets the id of the request, under which the log has the cause.
  'the reply tells the client that name': false,
};

let count = 0;

const counted: Stage = (context, next) => {
  count += 1;
  return next(context);
};

const asked: Stage = (context, next) => {
  // Without this `return` the problem is made and dropped, and the request goes on. What the stage returns then is a
  // valid reply, that of the route. So no check can find the mistake; only a test of the early answer does.
  if (!context.query.has('name')) return problemReply(context, 400, 'Who is there?');
  return next(context);
};

export const plugin: Plugin = {
  name: 'lesson',
  stages: [counted, asked],
  routes: [
    route({
      path: 'hello',
      handle({ context }) {
        return text(`Hello ${context.query.get('name')}, visitor ${count}`);
      },
    }),
  ],
};

// The check is `readyReply`, in `src/core/message/ready-reply.ts`, of which lesson 1 speaks. Without it, the error
// would come where the reply is written, and would name nobody.
