/**
 * Computes how much memory items and bodies may take, if the settings do not limit it. A program that embeds the
 * library gets the fixed limits of the library instead.
 *
 * The rest of the memory is for Node itself, for lists that are being sent, and for garbage: V8 keeps up to 64 MB of
 * unused buffers outside its heap. The memory of the container is used as well as the heap limit, because V8 never sets
 * a heap limit below 256 MiB. The service sets no flag of V8, because V8 cannot change the heap limit while it runs,
 * and a lower heap limit would not limit buffers (D121).
 */

import { LIMITS, memoryFor } from '../core/http/limits.ts';
import { attempt } from '../core/log/thrown-value.ts';

/** The part of the heap limit for new objects: three half spaces of 16 MiB. A flag of Node can change their size. */
const NEW_OBJECTS = 48 * 2 ** 20;

/** Returns the memory of the container or of the systemd unit, in bytes. Deno throws without the permission. */
const limitOfContainer = (): number => attempt(() => process.constrainedMemory?.(), undefined) || Infinity;

const heapLimit = (): number => process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit;

/**
 * Returns the default of `--max-store-bytes` for items in memory, in bytes: a quarter of the heap limit for old
 * objects, or an eighth of the container's memory, whichever is less.
 */
export const storeBudget = (heap = heapLimit(), container = limitOfContainer()): number =>
  Math.floor(Math.min(Math.max(heap - NEW_OBJECTS, heap / 2) / 4, container / 8));

/**
 * Returns the default of `--max-body-memory`, in bytes: a sixteenth of the container's memory, but at most 64 MiB. The
 * result is never less than the memory of two bodies of `--max-body`, each with its compressed and decompressed bytes.
 */
export const bodyBudget = (maxBody: number, container = limitOfContainer()): number =>
  Math.max(Math.min(LIMITS.maxBodyMemory, Math.floor(container / 16)), memoryFor(2 * maxBody));
