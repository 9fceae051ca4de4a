/**
 * Measures how the time of an attack grows with its length.
 *
 * The attack runs in a separate process, because a regular expression cannot be interrupted.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MEASURABLE_MS = 30;
const TIMEOUT_MS = 3_000;
const MAX_LENGTH = 8_192;

/**
 * Returns the exponent with which the time grows: about 2 for `a*a*`, 15 and more for an exponential expression, 99
 * after a timeout, 0 if 8,192 characters take less than 30 ms. `attack` is a list of pumps and a suffix.
 */
export function growthOf(source, flags, attack) {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    input: JSON.stringify({ source, flags, attack }),
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  // The last run has twice the length of a run that took 30 ms. It times out only if the exponent is seven or more.
  return stdout.trim() === '' ? 99 : Number(stdout);
}

function measured({ source, flags, attack: [pumps, suffix] }) {
  const pattern = new RegExp(source, flags);
  const text = (count) => pumps.map(([prefix, pump]) => prefix + pump.repeat(count)).join('') + suffix;
  const timeOf = (count) => {
    const value = text(count);
    const started = performance.now();
    pattern.test(value);
    return performance.now() - started;
  };
  const bestOf = (times, count) => Math.min(...Array.from({ length: times }, () => timeOf(count)));
  for (let count = 8; text(count).length <= MAX_LENGTH; count = Math.ceil(count * 1.15)) {
    if (bestOf(2, count) >= MEASURABLE_MS)
      return Math.log(bestOf(3, 2 * count) / bestOf(5, count)) / Math.log(text(2 * count).length / text(count).length);
  }
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  console.log(measured(JSON.parse(input)).toFixed(1));
}
