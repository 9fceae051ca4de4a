import assert from 'node:assert/strict';

const TRIES = 8;

/**
 * Fails if work of four times the size takes ten times as long. Quadratic work takes sixteen times as long. `workOf`
 * returns the work of a size. A busy machine can spoil a measurement, so the function tries several times.
 */
export function assertAboutLinear(what: string, workOf: (size: number) => () => unknown): void {
  const work = workOf(1);
  const more = workOf(4);
  let short = Infinity;
  let long = Infinity;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    short = Math.min(short, bestOf(3, work));
    long = Math.min(long, bestOf(3, more));
    if (long <= short * 10 + 3) return;
  }
  assert.fail(`${what}: ${short.toFixed(2)} ms, then ${long.toFixed(2)} ms`);
}

/**
 * Returns the shortest time of several rounds, in milliseconds. The clock also measures other processes, and the
 * processor time includes the threads of V8. So the lesser of both limits the time of the work.
 */
function bestOf(rounds: number, work: () => unknown): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000, performance.now() - began);
  }
  return best;
}
