/**
 * Runs an attack that the checker gives and tells how its time grows: `node attack.js` is a process of its own, because a regular
 * expression cannot be interrupted.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Time that tells something, and the longest that one run may take. */
const TELLING = 30,
  LONGEST = 3_000;
const MAX_LENGTH = 8_192;

/**
 * How the time grows with the length, as the exponent of a power: about 2 for `a*a*`, 15 and more for an exponential one. Zero where
 * 8,192 characters take less than 30 ms. `attack` is a list of pumps and a suffix.
 */
export function growthOf(source, flags, attack) {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    input: JSON.stringify({ source, flags, attack }),
    encoding: 'utf8',
    timeout: LONGEST,
  });
  // Twice the length of what took 30 ms ends in time unless the power is seven or more.
  return stdout.trim() === '' ? 99 : Number(stdout);
}

function measured({ source, flags, attack: [pumps, suffix] }) {
  const pattern = new RegExp(source, flags);
  const text = (rounds) => pumps.map(([prefix, pump]) => prefix + pump.repeat(rounds)).join('') + suffix;
  const timeOf = (rounds) => {
    const value = text(rounds),
      started = performance.now();
    pattern.test(value);
    return performance.now() - started;
  };
  const bestOf = (times, rounds) => Math.min(...Array.from({ length: times }, () => timeOf(rounds)));
  for (let rounds = 8; text(rounds).length <= MAX_LENGTH; rounds = Math.ceil(rounds * 1.15)) {
    if (bestOf(2, rounds) >= TELLING)
      return (
        Math.log(bestOf(3, 2 * rounds) / bestOf(5, rounds)) / Math.log(text(2 * rounds).length / text(rounds).length)
      );
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  console.log(measured(JSON.parse(input)).toFixed(1));
}
