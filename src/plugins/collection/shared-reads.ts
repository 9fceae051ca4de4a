/** Lets many reads of one key at the same time share their result (D50). */

/**
 * Returns a function that reads the value of a key. While a read of the key runs, all further calls wait for its end and
 * share the next read. So a call sees every change that was made before it, and many clients that ask for a long item at
 * once take the memory of two reads.
 */
export function sharedReads<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const reads = new Map<string, { readonly running: Promise<Value>; next?: Promise<Value> }>();
  function begin(key: string): Promise<Value> {
    const entry = { running: read(key) };
    reads.set(key, entry);
    const end = (): void => {
      if (reads.get(key) === entry) reads.delete(key);
    };
    entry.running.then(end, end);
    return entry.running;
  }
  return (key) => {
    const entry = reads.get(key);
    if (entry === undefined) return begin(key);
    const beginNext = (): Promise<Value> => begin(key);
    return (entry.next ??= entry.running.then(beginNext, beginNext));
  };
}
