/** Lesson 6, answered: what becomes a promise, and a stage that creates none. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Pipeline, type Reply, type Stage, text, withHeaders } from '../../../src/index.ts';

export const prediction = {
  '[passes, passes]': 'reply',
  // `passes` returns the result of `next`, here a promise, although it is not `async`.
  '[passes, waits]': 'promise',
  '[waits, passes]': 'promise',
  // It waits for nothing, but it is `async`: the keyword alone creates the promise.
  '[hurries, passes]': 'promise',
  // `waits` does not run. A stage that is not called costs nothing.
  '[answers, waits]': 'reply',
};

const passes: Stage = (context, next) => next(context);
const answers: Stage = () => text('early');
const hurries: Stage = async (context, next) => next(context);
const waits: Stage = async (context, next) => {
  await pause(5);
  return next(context);
};

export const pipelines: Readonly<Record<string, Pipeline>> = {
  '[passes, passes]': [passes, passes],
  '[passes, waits]': [passes, waits],
  '[waits, passes]': [waits, passes],
  '[hurries, passes]': [hurries, passes],
  '[answers, waits]': [answers, waits],
};

const marked = (reply: Reply): Reply => withHeaders(reply, { 'X-Served-By': 'lesson' });

// There is one branch for each kind of result. `then` without a second function passes a rejection on unchanged. An
// error that `next` throws at once passes unchanged too, because nothing catches it. The library has this branch once,
// in `after`.
export const served: Stage = (context, next) => {
  const reply = next(context);
  return reply instanceof Promise ? reply.then(marked) : marked(reply);
};
