/** Measures the memory of a test. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After a collection of garbage, in bytes. */
export function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc(); gc()');
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
