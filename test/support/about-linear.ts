import assert from 'node:assert/strict';

const TRIES = 8;

/**
 * Four times as much must not take ten times as long: what grows with the square takes sixteen. Work is what `made`
 * gives for a size of one and of four. A machine that was busy meanwhile is asked again; what is quadratic stays so
 * each time.
 */
export function assertAboutLinear(what: string, made: (times: number) => () => unknown): void {
  const work = made(1);
  const more = made(4);
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
 * The least time in milliseconds of some rounds. Another process may have the processor for a part of what a clock
 * measures, and the time of this process has that of V8's threads, which wait for each other where cores are few: what
 * the work itself takes is at most the lesser of both.
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
