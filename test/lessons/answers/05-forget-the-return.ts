/** Lesson 5, answered: three places that had forgotten the `return`. */

import { type Plugin, problemReply, route, type Stage, text } from '../../../src/index.ts';

export const prediction = {
  // The service has no reply to send. That is a mistake of the service: a 500.
  'the status that the client gets': 500,
  // Each reply is checked when it is returned, from the inside outwards. The handler is the innermost function. Its
  // mistake throws at once, so `counted` never returns.
  'the name in the log': 'hello',
  // The log is for operators. The client gets the id of the request, and the log has the cause with this id.
  'the client can read that name': false,
};

let count = 0;

const counted: Stage = (context, next) => {
  count += 1;
  return next(context);
};

const asked: Stage = (context, next) => {
  // Without this `return` the problem is created and dropped, and the request goes on. Then the stage returns the reply
  // of the route, which is valid. So no check can find the mistake; only a test of the early answer does.
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

// The check is `readyReply`, in `src/core/http/ready-reply.ts`, which lesson 1 mentions. Without it, the error would
// appear when the reply is written, and would name no function.
