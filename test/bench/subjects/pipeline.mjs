/** A fold of stages that pass everything on, in front of a handler that answers at once. */
import { takeTurns, timed } from './turn.mjs';

const { pipeline, text } = await import(`${process.env.BENCH_MODULES}/index.js`);
const { contextFor } = await import(`${process.env.BENCH_MODULES}/testing.js`);
const reply = text('x');
const end = () => reply;
// As many functions as stages: a pipeline of one function many times would be optimised as none is.
const stage = () => new Function('context', 'next', 'return next(context)');
const folds = new Map(
  Array.from({ length: 11 }, (_, count) => [count, pipeline(Array.from({ length: count }, stage), end)]),
);
// As in a service, a reply is checked once for its request, behind the stages.
const contexts = Array.from({ length: 1024 }, (_, at) => contextFor(`/${at}`));
const kept = new Array(64);

takeTurns(({ stages, milliseconds }) => {
  const handler = folds.get(stages);
  const batch = () => {
    for (let at = 0; at < contexts.length; at++) kept[at & 63] = handler(contexts[at]);
    return contexts.length;
  };
  return { nanoseconds: timed(batch, milliseconds) };
});
