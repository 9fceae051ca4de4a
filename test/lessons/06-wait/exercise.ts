/** Lesson 6: what becomes a promise, and a stage that creates none. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Pipeline, type Stage, text, withHeaders } from '../../../src/index.ts';

// ▼ Your prediction here, `'reply'` or `'promise'`: what does the handler of each pipeline return?
export const prediction = {
  '[passes, passes]': undefined,
  '[passes, waits]': undefined,
  '[waits, passes]': undefined,
  '[hurries, passes]': undefined,
  '[answers, waits]': undefined,
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

// ▼ Your code here.
export const served: Stage = async (context, next) => {
  const reply = await next(context);
  return withHeaders(reply, { 'X-Served-By': 'lesson' });
};
