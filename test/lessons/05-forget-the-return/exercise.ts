/** Lesson 5: three places forget the `return`. */

import { type Plugin, problemReply, route, type Stage, text } from '../../../src/index.ts';

// ▼ Your prediction here: a status, `'counted'` or `'hello'`, `true` or `false`.
export const prediction = {
  'the status that the client gets': undefined,
  'the name in the log': undefined,
  'the client can read that name': undefined,
};

// ▼ Your repairs from here on.
let count = 0;

const counted: Stage = (context, next) => {
  count += 1;
  next(context);
};

const asked: Stage = (context, next) => {
  if (!context.query.has('name')) problemReply(context, 400, 'Who is there?');
  return next(context);
};

export const plugin: Plugin = {
  name: 'lesson',
  stages: [counted, asked],
  routes: [
    route({
      path: 'hello',
      handle({ context }) {
        text(`Hello ${context.query.get('name')}, visitor ${count}`);
      },
    }),
  ],
};
