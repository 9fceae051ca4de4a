/**
 * The default of `--max-store-bytes`: a quarter of the heap limit of this process, in bytes. The store calls it when it
 * needs the number: reading the heap statistics takes longer than reading all settings.
 */
export const quarterOfHeap = (): number =>
  Math.floor(process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit / 4);
