/**
 * Shares out the memory of the process where the settings do not (D121).
 *
 * What is not shared out is for Node itself, for lists on their way, and for what V8 has not collected yet: it lets
 * 64 MB of buffers wait beside its heap. The heap limit alone tells too little: V8 sets none below 256 MiB.
 */
import { attempt } from '../core/log/thrown-value.ts';
import { LIMITS, memoryFor } from '../core/wire/connection/limits.ts';

/** What the heap limit has for new objects: three half spaces of 16 MiB, unless Node is told otherwise. */
const NEW_OBJECTS = 48 * 2 ** 20;

/**
 * The memory of the container or of the unit, in bytes; without a limit Node gives 2 ** 64, or nothing. Deno throws
 * where the right to ask is not given: no limit is known then.
 */
const limitOfContainer = (): number => attempt(() => process.constrainedMemory?.(), undefined) || Infinity;

const heapLimit = (): number => process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;

/**
 * The default of `--max-store-bytes` in memory, in bytes: a quarter of the heap in which items live, or an eighth of
 * the container if that is less.
 */
export const storeBudget = (heap = heapLimit(), container = limitOfContainer()): number =>
  Math.floor(Math.min(Math.max(heap - NEW_OBJECTS, heap / 2) / 4, container / 8));

/**
 * The default of `--max-body-memory`, in bytes: a sixteenth of the container, but at most 64 MiB, and at least what two
 * bodies of `--max-body` take, packed and unpacked.
 */
export const bodyBudget = (maxBody: number, container = limitOfContainer()): number =>
  Math.max(Math.min(LIMITS.maxBodyMemory, Math.floor(container / 16)), memoryFor(2 * maxBody));
