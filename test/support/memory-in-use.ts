/** Measures the memory of a test. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects garbage and returns the memory in use, in bytes. */
export function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc(); gc()');
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
