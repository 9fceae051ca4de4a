/** Decides how much memory items may take by default. */
const MIB = 2 ** 20;
/** What the heap limit has for new objects: three half spaces of 16 MiB, unless Node is told otherwise. */
const NEW_OBJECTS = 48 * MIB;

/**
 * The default of `--max-store-bytes`: a quarter of the heap of this process in which items live, in bytes. The store
 * calls it when it needs the number: reading the heap statistics takes longer than reading all settings.
 */
export function quarterOfHeap(): number {
  const { heap_size_limit: limit } = process.getBuiltinModule('node:v8').getHeapStatistics();
  return Math.floor(Math.max(limit - NEW_OBJECTS, limit / 2) / 4);
}
