/**
 * Reads the items of a list, and fills a list with items, for `--copy-store` (D86). They are written to keys beside the
 * list, which take its place in one step. Those of a copy that was killed go after an hour.
 */
import { randomBytes } from 'node:crypto';
import { type CopiedItem, itemsOf, StoreError, versionMaker } from '../collection/collection.ts';
import type { RedisTimes } from './redis-connection.ts';
import { startError } from './redis-fault.ts';
import { ADD, FORMAT, RedisList } from './redis-list.ts';
import { redisLocation } from './redis-location.ts';

/** Key, version, value: adds it to a copy, whose keys go an hour after its last item. */
const stage = `${ADD}
add(ARGV[1], ARGV[2], ARGV[3])
for at = 1, 3 do redis.call('EXPIRE', KEYS[at], 3600) end
return 1
`;

/**
 * The keys of a copy, then those of the list; its number of items, the version of the list: 1 for a list that has
 * become the copy, also an empty one; -1 for one that has items, 0 for a copy that is not whole.
 */
const adopt = `
if redis.call('EXISTS', KEYS[4]) == 1 then return -1 end
if redis.call('HLEN', KEYS[1]) ~= tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[5], KEYS[6])
for at = 1, 3 do
  if redis.call('EXISTS', KEYS[at]) == 1 then
    redis.call('RENAME', KEYS[at], KEYS[at + 3])
    redis.call('PERSIST', KEYS[at + 3])
  end
end
redis.call('HSET', KEYS[6], 'format', '${FORMAT}', 'version', ARGV[2], 'seeded', '1')
return 1
`;

/** Items that are on their way: a server answers them in the order in which they were sent. */
const BATCH = 200;

/** Rejects with a `StoreError` for a list that is not there, and for an item that has no value. */
export async function* itemsOfList(url: string, times: RedisTimes): AsyncGenerator<CopiedItem, void> {
  const location = redisLocation(url);
  const { what, keys } = location;
  const list = new RedisList(location, times);
  try {
    await list.open(false);
    if (Number(await list.ask(['EXISTS', keys.items, keys.list])) === 0)
      throw new StoreError(what, 'there is no such list; name the one that has the items', 2);
    for await (const item of itemsOf(list)) {
      if (item.value === '')
        throw new StoreError(what, `the item ${JSON.stringify(item.key)} has no value; remove it, and copy again`, 2);
      yield item;
    }
  } catch (error) {
    throw startError(error, what);
  } finally {
    list.close();
  }
}

/** Rejects with a `StoreError` for a list that has items, and for a copy that fails; then the list has not changed. */
export async function fillList(
  url: string,
  times: RedisTimes,
  maxItems: number,
  items: AsyncIterable<CopiedItem>,
): Promise<number> {
  const location = redisLocation(url);
  const { what, keys } = location;
  const list = new RedisList(location, times);
  const newVersion = versionMaker();
  const names = Object.values(keys);
  const copies = names.map((name) => name.replace('}:', `}:copy-${randomBytes(9).toString('base64url')}:`));
  const run = (script: string, onKeys: readonly string[], ...words: readonly string[]): Promise<unknown> =>
    list.ask(['EVAL', script, String(onKeys.length), ...onKeys, ...words]);
  let count = 0;
  let batch: Promise<unknown>[] = [];
  try {
    await list.open();
    for await (const { key, value } of items) {
      if (++count > maxItems)
        throw new StoreError(what, `it may have no more than ${maxItems} items; raise --max-items`, 2);
      const staged = run(stage, copies, key, newVersion(), value);
      // One that fails while the next page is read is waited for below.
      staged.catch(() => {});
      batch.push(staged);
      if (batch.length < BATCH) continue;
      await Promise.all(batch);
      batch = [];
    }
    await Promise.all(batch);
    const done = await run(adopt, [...copies, ...names], String(count), newVersion());
    if (done === -1) throw new StoreError(what, 'it has items already; name a store that has none', 2);
    if (done === 0) throw new StoreError(what, 'the server has thrown a part of the copy away; copy again', 1);
    return count;
  } catch (error) {
    throw startError(error, what);
  } finally {
    list.close();
  }
}
