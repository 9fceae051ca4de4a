/** Lesson 6, answered: what becomes a promise, and a stage that makes none. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Pipeline, type Reply, type Stage, text, withHeaders } from '../../../src/index.ts';

export const prediction = {
  '[passes, passes]': 'reply',
  // `passes` returns what `next` returns. It has a promise without being `async`.
  '[passes, waits]': 'promise',
  '[waits, passes]': 'promise',
  // It waits for nothing, but it is `async`: the word alone makes the promise.
  '[hurries, passes]': 'promise',
  // `waits` is not asked. What is not called costs nothing.
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

// One branch for each. `then` without a second function lets a rejection pass as it is, and an error that `next` throws
// at once passes as it is because nothing catches it. In the library this branch stands once, in `after`.
export const served: Stage = (context, next) => {
  const reply = next(context);
  return reply instanceof Promise ? reply.then(marked) : marked(reply);
};
