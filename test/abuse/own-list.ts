/** Puts each part of a long run on a list of its own, in the file or engine that `--store` names. */

/** The flags for a new list. `store` is the path of a file or the URL of an engine; without it there are none. */
export function ownList(store: string | undefined, part: string): readonly string[] {
  if (store === undefined) return [];
  const end = `-${part}-${process.pid}`;
  if (!/^rediss?:/.test(store)) return ['--store', store + end];
  const url = new URL(store);
  url.searchParams.set('list', (url.searchParams.get('list') ?? 'todo') + end);
  return ['--store', url.href];
}
