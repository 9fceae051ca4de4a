/**
 * Serves the to-do list and the mistakes on one step, so that you can attack it by hand:
 *
 *     node --import tsx test/lessons/steps/serve.ts 3
 *     node --import tsx test/lessons/steps/serve.ts 3 8081
 *
 * Step 0 is `tiny.ts`. The default port is 8080.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Stage, service as tiny, todo } from '../tiny.ts';
import { mistakes } from './mistakes.ts';
import { notes } from './notes.ts';
import { service as first } from './step-1-thrown-string.ts';
import { service as second } from './step-2-wrong-length.ts';
import { service as third } from './step-3-two-hosts.ts';
import { service as fourth } from './step-4-pipelining.ts';
import { service as fifth } from './step-5-slow-body.ts';
import { service as sixth } from './step-6-half-close.ts';

type Service = (stages: readonly Stage[], bodyTime?: number) => Server;

const STEPS: readonly Service[] = [tiny, first, second, third, fourth, fifth, sixth];

export const LAST_STEP = 9;

/** Returns the server of a step. `bodyTime` is in milliseconds. Throws a `RangeError` for an unknown step. */
export function serverOf(step: number, bodyTime?: number): Server {
  // The steps about routes do not change the service.
  const service = step > 6 && step <= LAST_STEP ? sixth : STEPS[step];
  if (service === undefined) throw new RangeError(`There is no step ${step}: give a number from 0 to ${LAST_STEP}`);
  const mistaken: Stage = (context, next) => (mistakes[context.path] ?? next)(context);
  return service([mistaken, ...notes(step), ...todo()], bodyTime);
}

if (process.argv[1] === import.meta.filename) {
  const [step, port] = process.argv.slice(2);
  const server = serverOf(Number(step ?? 0));
  server.listen(Number(port ?? 8080), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/todo`);
  });
}
